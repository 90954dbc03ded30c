"""The description of the API as a page, made from its OpenAPI document: nothing is loaded from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from petra.web.pages import Markup, fragment, joined

_CODE = re.compile(r"`([^`]+)`")
_SAYS_NOTHING = "Successful Response"  # what FastAPI writes where nothing is written


def reference(document: Mapping[str, Any], address: str) -> Markup:
    """Every address and every schema of an OpenAPI document, for a server that is reached at an address."""
    operations = [
        _operation(method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = [_schema(name, schema) for name, schema in document["components"]["schemas"].items()]
    return fragment(
        "reference.html",
        address=address,
        description=_prose(document["info"]["description"]),
        operations=joined(*operations),
        schemas=joined(*schemas),
    )


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> Markup:
    parameters = [
        _field(parameter["name"], parameter["schema"], parameter.get("description", ""), bool(parameter["required"]))
        for parameter in operation.get("parameters", ())
    ]
    answers = [_answer(status, answer) for status, answer in operation["responses"].items()]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return fragment(
        "operation.html",
        method=method.upper(),
        path=path,
        description=_prose(operation["description"]),
        takes=_titled("Takes", [Markup(f"<p>{_type(body['schema'])} as JSON</p>")]) if body else "",
        parameters=_titled("Parameters", [Markup("<dl>"), *parameters, Markup("</dl>")]) if parameters else "",
        answers=_titled("Answers", [Markup("<dl>"), *answers, Markup("</dl>")]),
    )


def _schema(name: str, schema: Mapping[str, Any]) -> Markup:
    needed = schema.get("required", ())
    fields = (
        _field(field, value, value.get("description", ""), field in needed)
        for field, value in schema["properties"].items()
    )
    return fragment("schema.html", name=name, description=_prose(schema.get("description", "")), fields=joined(*fields))


def _field(name: str, schema: Mapping[str, Any], description: str, needed: bool) -> Markup:
    notes = [] if needed else ["optional"]
    notes += [f"{words} {bound:g}" for bound, words in _bounds(schema)]
    if "default" in schema and schema["default"] is not None:
        notes.append(f"default {schema['default']!r}")
    return fragment(
        "field.html",
        name=name,
        type=_type(schema),
        notes="".join(f", {note}" for note in notes),
        description=_prose(description),
    )


def _answer(status: str, answer: Mapping[str, Any]) -> Markup:
    kinds = [
        _type(content["schema"]) if content.get("schema") else fragment("code.html", words=kind)
        for kind, content in answer.get("content", {}).items()
    ]
    words = "" if answer["description"] == _SAYS_NOTHING else answer["description"]
    return fragment("answer.html", status=status, description=_inline(words), kinds=joined(*kinds, separator=", "))


def _type(schema: Mapping[str, Any]) -> Markup:
    """The type of a value, with a link to the schema it names."""
    if "$ref" in schema:
        return fragment("reference_link.html", name=schema["$ref"].rsplit("/", 1)[-1])
    if "anyOf" in schema:
        return joined(*map(_type, schema["anyOf"]), separator=" or ")
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return joined("[", joined(*map(_type, schema["prefixItems"]), separator=", "), "]", separator="")
        return joined("list of ", _type(schema["items"]), separator="")
    if "enum" in schema:
        return joined(" or ".join(map(repr, schema["enum"])))
    return joined(str(schema.get("type", "any value")))


def _bounds(schema: Mapping[str, Any]) -> Iterator[tuple[float, str]]:
    for part in (schema, *schema.get("anyOf", ())):
        for key, words in (("minimum", "at least"), ("maximum", "at most"), ("maxLength", "characters: at most")):
            if key in part:
                yield part[key], words


def _titled(title: str, parts: list[Markup]) -> Markup:
    return joined(Markup(f"<h3>{title}</h3>"), *parts)


def _prose(text: str) -> Markup:
    """Paragraphs."""
    return joined(*(Markup(f"<p>{_inline(paragraph)}</p>") for paragraph in filter(None, text.split("\n\n"))))


def _inline(text: str) -> Markup:
    """Words, with what stands between backticks as code."""
    pieces = _CODE.split(text)  # words and code in turn
    return joined(
        *(fragment("code.html", words=piece) if turn % 2 else piece for turn, piece in enumerate(pieces)), separator=""
    )
