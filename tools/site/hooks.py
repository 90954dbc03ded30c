"""What MkDocs does beyond its own: generated pages, and links that leave docs/.

The pages under docs/ are plain Markdown, whose links hold on a git host too: to a recipe or
a result they lead out of the folder. The site takes what is linked along. Reference pages are
made anew at every build, from the program itself and from the records of models and results.
"""

from __future__ import annotations

from pathlib import Path

from commands_page import commands_page
from equations import with_sources
from library_page import library_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from outside import linked_outside, rewritten
from records_pages import cards_page, results_page

ROOT = Path(__file__).parents[2]
ASSETS = ("site.css", "site.js")
GENERATED = {
    "reference/commands.md": commands_page,
    "reference/library.md": library_page,
    "reference/cards.md": cards_page,
    "reference/results.md": results_page,
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, the styles and the script, and the files outside docs/ that pages lead to."""
    pages = {path: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
    for place, make in GENERATED.items():
        pages[ROOT / place] = make(ROOT)
        files.append(File.generated(config, place, content=pages[ROOT / place]))
    for name in ASSETS:
        files.append(File.generated(config, f"assets/{name}", abs_src_path=str(ROOT / "tools/site" / name)))
    for path in linked_outside(ROOT, pages):
        place = path.relative_to(ROOT).as_posix()
        files.append(File.generated(config, place, abs_src_path=str(path), inclusion=InclusionLevel.NOT_IN_NAV))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Turn links that leave docs/ to where the site has the files; put the source of equations on their page."""
    if "/" in page.file.src_uri:
        return markdown
    return rewritten(with_sources(markdown) if page.file.src_uri == "paper.md" else markdown)
