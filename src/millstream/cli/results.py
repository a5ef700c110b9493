"""millstream results"""

from __future__ import annotations

from typing import Annotated

import typer

from millstream.cli.arguments import FormatOption, JsonOption, SpaceArgument
from millstream.cli.console import emit_json
from millstream.cli.door import existing_space, named
from millstream.cli.formats import write_subscription


def results(
    space: SpaceArgument,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The subscription.")],
    format: FormatOption = "xml",
    as_json: JsonOption = False,
) -> None:
    """Print what a subscription of a space has received so far."""
    with existing_space(space) as mill:
        subscription = named(mill.subscriptions, name, "subscription")
        opening, closing = subscription.opening, subscription.closing
        if as_json:
            items = list(subscription.results())
            emit_json({"name": name, "opening": opening, "items": items, "closing": closing})
        else:
            write_subscription(subscription, format)
