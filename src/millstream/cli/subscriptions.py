"""millstream subscriptions"""

from __future__ import annotations

from rich.table import Table

from millstream.cli.arguments import JsonOption, SpaceArgument
from millstream.cli.console import emit_json, show
from millstream.cli.door import existing_space


def subscriptions(space: SpaceArgument, as_json: JsonOption = False) -> None:
    """List the subscriptions of a space."""
    with existing_space(space) as mill:
        facts = [{"name": each.name, "text": each.text} for each in mill.subscriptions.values()]
    if as_json:
        emit_json({"subscriptions": facts})
        return
    table = Table("name", "text")
    for fact in facts:
        table.add_row(fact["name"], " ".join(fact["text"].split()))
    show(table)
