"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

import re
from pathlib import Path

import typer
from typer.cli import get_docs_for_click


def commands_page(root: Path) -> str:  # noqa: ARG001  every page is made from the root
    """A section for each command with its arguments and options."""
    from petra.cli.app import app

    command = typer.main.get_command(app)
    context = command.context_class(command, info_name="petra")
    page = get_docs_for_click(obj=command, ctx=context, name="petra", title="The commands")
    page = re.sub(r"\*\*Commands\*\*:\n\n(?:\* .*\n)+\n", "", page)  # each has a section, and there is more in it
    page = re.sub(r"^\* `--help`: .*\n", "", page, flags=re.MULTILINE)
    page = re.sub(r"\*\*Options\*\*:\n\n(?!\*)", "", page)
    page = re.sub(r"\x08\n(.*?)(?=\n\n)", r"```\n\1\n```", page, flags=re.DOTALL)  # typer's mark for lines as they are
    page = page.replace("**Usage**:\n\n", "")
    return re.sub(r"^```console\n\$ ", "```\n", page, flags=re.MULTILINE)
