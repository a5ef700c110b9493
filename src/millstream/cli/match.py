"""millstream match"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from millstream.cli.arguments import (
    ItemOption,
    JsonOption,
    LanguageOption,
    OrderOption,
    SchemaOption,
    SetOption,
    query_text,
)
from millstream.cli.console import emit, emit_json, say
from millstream.cli.stream_request import subscription_choices
from millstream.errors import MillstreamError, StateError
from millstream.model.window import EndRule

if TYPE_CHECKING:
    from millstream.cli.schemas import Schemas
    from millstream.sharing.matching import Match
    from millstream.sharing.properties import Properties

NewArgument = Annotated[
    str, typer.Argument(metavar="NEW", help="The new query, or @ and the file that holds it.")
]
OldArgument = Annotated[
    str, typer.Argument(metavar="OLD", help="The query whose result flows already, likewise.")
]
MoreArgument = Annotated[
    list[str] | None, typer.Argument(metavar="MORE", help="Further queries for --graph.")
]
SampleOption = Annotated[
    list[str] | None,
    typer.Option("--stream", metavar="NAME=PATH", help="Files whose first items show the types."),
]
GraphOption = Annotated[
    Path | None,
    typer.Option("--graph", metavar="FILE", help="Draw who could share whose result, as SVG."),
]


def match(
    new: NewArgument,
    old: OldArgument,
    more: MoreArgument = None,
    schema: SchemaOption = None,
    stream: SampleOption = None,
    order: OrderOption = None,
    item: ItemOption = None,
    set_: SetOption = None,
    graph: GraphOption = None,
    language: LanguageOption = "auto",
    as_json: JsonOption = False,
) -> None:
    """Say whether NEW can be answered from OLD's result, and why or why not."""
    if more and graph is None:
        raise typer.BadParameter("more than two queries are compared with --graph only")
    from millstream.cli.schemas import known_schemas
    from millstream.sharing.matching import match_properties

    arguments = (new, old, *(more or ()))
    texts = [query_text(each) for each in arguments]
    known = known_schemas(schema, stream, order, item, set_)
    asked = _properties(texts, known, set_)
    if graph is not None:
        _draw(dict(zip(_names(arguments), asked, strict=True)), graph, as_json)
        return
    answer = match_properties(asked[0], asked[1])
    if as_json:
        emit_json(facts(answer))
    else:
        emit("\n".join(_lines(answer)))


def _properties(texts: list[str], known: Schemas, settings: list[str] | None) -> list[Properties]:
    from millstream.sharing.reading_properties import properties_of

    choices = subscription_choices(settings)
    end = None if choices.end is None else EndRule(choices.end)
    found = []
    for text, query in zip(texts, known.compiled(texts), strict=True):
        try:
            found.append(properties_of(query, end=end, empty=choices.empty))
        except MillstreamError as error:
            raise error.with_text(text) from None
    return found


def facts(answer: Match) -> dict[str, Any]:
    """The facts of an answer; of a no, the reasons are the conditions that fail."""
    told = answer.reasons if answer.reusable else answer.failed
    return {
        "reusable": answer.reusable,
        "reasons": [reason.text for reason in told],
        "conditions": [
            {"condition": each.condition, "holds": each.holds, "text": each.text}
            for each in answer.reasons
        ],
        "steps": list(answer.steps),
        "composes": answer.composes,
    }


def _lines(answer: Match) -> Iterator[str]:
    yield "yes: the result can be reused" if answer.reusable else "no: the result cannot be reused"
    for reason in sorted(answer.reasons, key=lambda each: each.holds):
        yield f"  {'✓' if reason.holds else '✗'} {reason.condition}: {reason.text}"
    if answer.steps:
        yield "what is left to do"
        yield from (f"  {number}. {step}" for number, step in enumerate(answer.steps, 1))


def _names(arguments: tuple[str, ...]) -> list[str]:
    """What queries are called in a graph: their files' names, else by their place."""
    names: list[str] = []
    for number, argument in enumerate(arguments, 1):
        stem = Path(argument[1:]).stem if argument.startswith("@") else ""
        name = f"Q{number}" if stem in ("", "-") else stem
        names.append(name if name not in names else f"{name} ({number})")
    return names


def _draw(asked: Mapping[str, Properties], target: Path, as_json: bool) -> None:
    from millstream.sharing.graphs import ShareabilityGraph, draw_svg, draw_text

    graph = ShareabilityGraph.of(asked)
    try:
        target.write_text(draw_svg(graph, title="who can share whose result"), encoding="utf-8")
    except OSError as error:
        raise StateError(f"cannot write '{target}': {error.strerror}") from None
    if as_json:
        pairs = [
            {"new": new, "old": old, "reusable": (old, new) in graph.edges}
            for old, new in permutations(asked, 2)
        ]
        emit_json({"graph": str(target), "pairs": pairs})
    else:
        emit(draw_text(graph))
    say(f"drawn in {target}")
