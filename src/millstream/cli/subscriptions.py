"""millstream subscriptions"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from millstream.cli.arguments import JsonOption, SpaceArgument
from millstream.cli.console import emit, emit_json, show
from millstream.cli.door import existing_space, named

NameArgument = Annotated[
    str | None, typer.Argument(metavar="[NAME]", help="Only this one, with all that it costs.")
]


def subscriptions(
    space: SpaceArgument, name: NameArgument = None, as_json: JsonOption = False
) -> None:
    """List the subscriptions of a space that run, or tell what one costs and who depends on it."""
    with existing_space(space) as mill:
        if name is not None:
            named(mill.subscriptions, name, "subscription")
            costs = mill.costs(name)
            if as_json:
                emit_json(costs.to_json())
            else:
                emit(str(costs))
            return
        facts = [
            {"name": each.name, "peer": each.peer, "text": each.text}
            for each in mill.subscriptions.values()
            if not each.cancelled
        ]
    if as_json:
        emit_json({"subscriptions": facts})
        return
    table = Table("name", "peer", "text")
    for fact in facts:
        table.add_row(fact["name"], fact["peer"], " ".join(fact["text"].split()))
    show(table)
