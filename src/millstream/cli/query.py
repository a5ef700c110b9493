"""millstream query"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from millstream.cli.arguments import (
    FormatOption,
    ItemOption,
    JsonOption,
    KeyOption,
    LanguageOption,
    OrderOption,
    SchemaOption,
    SetOption,
    StreamOption,
    TextArgument,
    query_text,
)
from millstream.cli.console import emit_json, say
from millstream.cli.door import create_streams, open_mill
from millstream.cli.formats import write_results
from millstream.cli.progress import counts, shown_progress
from millstream.cli.stream_request import stream_requests, subscription_choices

if TYPE_CHECKING:
    from millstream.mill import RunReport, Stream, Subscription


def query(
    text: TextArgument,
    stream: StreamOption,
    schema: SchemaOption = None,
    order: OrderOption = None,
    item: ItemOption = None,
    key: KeyOption = None,
    set_: SetOption = None,
    language: LanguageOption = "auto",
    format: FormatOption = "xml",
    as_json: JsonOption = False,
) -> None:
    """Answer a query once over files, and print the result stream."""
    requests = stream_requests(stream, set_, schema=schema, order_by=order, item=item, key=key)
    choices = subscription_choices(set_)
    asked = query_text(text)
    started = time.monotonic()
    with open_mill(None) as mill, shown_progress("query") as on_progress:
        streams = create_streams(mill, requests)
        subscription = mill.subscribe(asked, end=choices.end, empty=choices.empty)
        report = mill.run(until="drained", on_progress=on_progress)
        seconds = time.monotonic() - started
        if as_json:
            emit_json(answer(subscription, streams, report, seconds))
        else:
            write_results(
                subscription.opening, subscription.results(), subscription.closing, format
            )
        _tell_quarantine(streams)
    say(f"{counts(report, seconds)} in {seconds:.1f} s")


def answer(
    subscription: Subscription, streams: tuple[Stream, ...], report: RunReport, seconds: float
) -> dict[str, Any]:
    """The facts of an answered query."""
    return {
        "opening": subscription.opening,
        "items": list(subscription.results()),
        "closing": subscription.closing,
        "streams": {
            each.name: {"inferred": list(each.notes), "quarantined": len(each.quarantine())}
            for each in streams
        },
        "parsed": report.items,
        "steps": report.steps,
        "seconds": round(seconds, 3),
    }


def _tell_quarantine(streams: tuple[Stream, ...]) -> None:
    for stream in streams:
        entries = stream.quarantine()
        if entries:
            say(f"{stream.name}: {len(entries):,} items in quarantine, the first: {entries[0]}")
