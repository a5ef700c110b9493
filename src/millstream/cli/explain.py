"""millstream explain"""

from __future__ import annotations

from millstream.cli.arguments import (
    ItemOption,
    JsonOption,
    KeyOption,
    LanguageOption,
    NowOption,
    OrderOption,
    SchemaOption,
    SetOption,
    StreamOption,
    TextArgument,
    query_text,
)
from millstream.cli.console import emit, emit_json
from millstream.cli.door import create_streams, open_mill
from millstream.cli.sql_layout import laid_out
from millstream.cli.stream_request import check_sources, stream_requests, subscription_choices


def explain(
    text: TextArgument,
    stream: StreamOption,
    schema: SchemaOption = None,
    order: OrderOption = None,
    item: ItemOption = None,
    key: KeyOption = None,
    set_: SetOption = None,
    language: LanguageOption = "auto",
    now: NowOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a query would be answered: its algebra, then its Spark SQL."""
    requests = stream_requests(stream, set_, schema=schema, order_by=order, item=item, key=key)
    choices = subscription_choices(set_)
    asked = query_text(text)
    check_sources(requests)
    with open_mill(None) as mill:
        create_streams(mill, requests)
        explanation = mill.explain(asked, end=choices.end, empty=choices.empty)
    if as_json:
        emit_json({"algebra": explanation.algebra, "sql": explanation.sql})
    else:
        emit(f"{explanation.algebra}\n\n{laid_out(explanation.sql)}")
