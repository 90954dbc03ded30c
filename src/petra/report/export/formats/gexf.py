"""GEXF: a network of people, for Gephi and networkx."""

from __future__ import annotations

from collections.abc import Iterator

from petra.report.export.format import ExportOptions, Files, Format
from petra.report.export.names import one_line
from petra.report.export.network import people_network
from petra.report.export.tracked import TrackedText
from petra.report.export.xml import HEADER, tag


def _document(tracked: TrackedText, options: ExportOptions) -> Iterator[str]:
    network = people_network(tracked, options)
    yield HEADER + tag("gexf", xmlns="http://www.gexf.net/1.2draft", version="1.2") + "\n"
    yield tag("graph", mode="static", defaultedgetype="directed" if network.is_directed else "undirected") + "\n"
    yield '<attributes class="node" mode="static">\n'
    for number, name in enumerate(("mentions", "quotations")):
        yield tag("attribute", id=str(number), title=name, type="integer") + "</attribute>\n"
    yield "</attributes>\n<nodes>\n"
    for person in network.people:
        yield tag("node", id=f"p{person.id}", label=one_line(person.name)) + "<attvalues>"
        for number, value in enumerate((len(person.mentions), network.quotations[person.id])):
            yield tag("attvalue", **{"for": str(number)}, value=str(value)) + "</attvalue>"
        yield "</attvalues></node>\n"
    yield "</nodes>\n<edges>\n"
    for number, ((first, second), weight) in enumerate(network.edges.items(), start=1):
        yield tag("edge", id=f"e{number}", source=f"p{first}", target=f"p{second}", weight=str(weight)) + "</edge>\n"
    yield "</edges>\n</graph>\n</gexf>\n"


def _files(tracked: TrackedText, options: ExportOptions) -> Files:
    return {".gexf": "".join(_document(tracked, options))}


FORMAT = Format(about="the same network in GEXF, for Gephi", files=_files)
