"""millstream streams"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from millstream.cli.arguments import JsonOption, SpaceArgument
from millstream.cli.console import emit_json, show
from millstream.cli.door import existing_space

if TYPE_CHECKING:
    from millstream.mill import Stream


def streams(space: SpaceArgument, as_json: JsonOption = False) -> None:
    """List the streams of a space with what has flowed on them."""
    with existing_space(space) as mill:
        facts = [stream_facts(each) for each in mill.streams.values()]
    if as_json:
        emit_json({"streams": facts})
    else:
        show(stream_table(facts))


def stream_facts(stream: Stream) -> dict[str, Any]:
    """The facts of one stream as plain values."""
    return {
        "name": stream.name,
        "item": stream.schema.item.name,
        "paths": list(stream.paths),
        **stream.statistics(),
    }


def stream_table(facts: list[dict[str, Any]]) -> Table:
    """The streams as a table, without their paths."""
    table = Table()
    shown = [key for key in (facts[0] if facts else {"name": ""}) if key != "paths"]
    for key in shown:
        table.add_column(key)
    for fact in facts:
        table.add_row(*(str(fact[key]) for key in shown))
    return table
