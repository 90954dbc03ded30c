"""GraphML: a network of people, for Gephi, Cytoscape, igraph and networkx."""

from __future__ import annotations

from collections.abc import Iterator

from petra.report.export.format import ExportOptions, Files, Format
from petra.report.export.names import one_line
from petra.report.export.network import people_network
from petra.report.export.tracked import TrackedText
from petra.report.export.xml import HEADER, content, tag

_KEYS = (
    ("label", "node", "string"),
    ("mentions", "node", "int"),
    ("quotations", "node", "int"),
    ("weight", "edge", "int"),
)


def _document(tracked: TrackedText, options: ExportOptions) -> Iterator[str]:
    network = people_network(tracked, options)
    yield HEADER + tag("graphml", xmlns="http://graphml.graphdrawing.org/xmlns") + "\n"
    for name, of, kind in _KEYS:
        yield tag("key", id=name, **{"for": of, "attr.name": name, "attr.type": kind}) + "</key>\n"
    yield tag("graph", id="people", edgedefault="directed" if network.is_directed else "undirected") + "\n"
    for person in network.people:
        yield tag("node", id=f"p{person.id}")
        yield f'<data key="label">{content(one_line(person.name))}</data>'
        yield f'<data key="mentions">{len(person.mentions)}</data>'
        yield f'<data key="quotations">{network.quotations[person.id]}</data></node>\n'
    for number, ((first, second), weight) in enumerate(network.edges.items(), start=1):
        yield tag("edge", id=f"e{number}", source=f"p{first}", target=f"p{second}")
        yield f'<data key="weight">{weight}</data></edge>\n'
    yield "</graph>\n</graphml>\n"


def _files(tracked: TrackedText, options: ExportOptions) -> Files:
    return {".graphml": "".join(_document(tracked, options))}


FORMAT = Format(about="a network of who is in company with whom, or speaks to whom, in GraphML", files=_files)
