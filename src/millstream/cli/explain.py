"""millstream explain"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from millstream.cli.arguments import (
    ItemOption,
    JsonOption,
    KeyOption,
    LanguageOption,
    NowOption,
    OrderOption,
    SchemaOption,
    SetOption,
    StrategyOption,
    TextArgument,
    query_text,
)
from millstream.cli.console import emit, emit_json
from millstream.cli.door import create_streams, existing_space, open_mill
from millstream.cli.functions import FunctionsOption, register_files
from millstream.cli.history_engine import EngineOption
from millstream.cli.history_query import histories_of
from millstream.cli.sql_layout import laid_out
from millstream.cli.stream_request import check_sources, stream_requests, subscription_choices

StreamsOption = Annotated[
    list[str] | None,
    typer.Option("--stream", metavar="NAME=PATH", help="A stream: a file, a folder or a pattern."),
]
SpaceOption = Annotated[
    Path | None, typer.Option("--space", help="The space in which it would be registered.")
]
PeerOption = Annotated[
    str | None, typer.Option("--peer", help="The peer at which it would be registered.")
]


def explain(
    text: TextArgument,
    stream: StreamsOption = None,
    space: SpaceOption = None,
    peer: PeerOption = None,
    schema: SchemaOption = None,
    order: OrderOption = None,
    item: ItemOption = None,
    key: KeyOption = None,
    set_: SetOption = None,
    language: LanguageOption = "auto",
    strategy: StrategyOption = None,
    engine: EngineOption = "auto",
    now: NowOption = None,
    functions: FunctionsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a query would be answered: what it asks, what it would reuse, what would run.

    In a space, what flows there already is considered; nothing is registered.
    """
    register_files(functions)
    if not stream and space is None:
        raise typer.BadParameter("give streams with --stream, or a space with --space")
    requests = stream_requests(
        stream or [], set_, schema=schema, order_by=order, item=item, key=key
    )
    choices = subscription_choices(set_)
    asked = query_text(text)
    check_sources(requests)
    histories = histories_of(requests) if requests else None
    if histories is not None:
        histories.explain(asked, strategy, engine, as_json)
        return
    with open_mill(None) if space is None else existing_space(space) as mill:
        create_streams(mill, requests)
        explanation = mill.explain(
            asked, end=choices.end, empty=choices.empty, peer=peer, language=language
        )
        parts = {
            "algebra": explanation.algebra,
            "properties": explanation.properties,
            "sharing": explanation.sharing,
            "evaluation": explanation.evaluation,
            "sql": explanation.sql,
        }
    if as_json:
        emit_json(parts)
        return
    parts["sql"] = laid_out(parts["sql"])
    emit("\n\n".join(f"{title}\n{each}" for title, each in parts.items()))
