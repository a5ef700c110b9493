"""millstream demo"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit, emit_json, say, show
from millstream.cli.door import create_streams, open_mill
from millstream.cli.live_demo import serve_demo
from millstream.cli.progress import Tally, rate, shown_progress
from millstream.cli.serve import PortOption
from millstream.cli.stream_request import StreamRequest
from millstream.generators.photon_queries import PHOTON_QUERIES

if TYPE_CHECKING:
    from millstream.mill import Mill

SAMPLES = 2
PLAN_LINES = 12


def demo(
    photons: Annotated[int, typer.Option("--photons", min=1, help="How many photons.")] = 50_000,
    space: Annotated[
        Path | None, typer.Option("--space", help="Keep the space here instead of nowhere.")
    ] = None,
    live: Annotated[
        bool, typer.Option("--serve", help="Three worlds that go on, with the dashboard.")
    ] = False,
    port: PortOption = 8090,
    as_json: JsonOption = False,
) -> None:
    """Run four photon subscriptions on generated photons, with plan, results and savings.

    With --serve photons, vehicles with tags and credit accounts flow until Ctrl-C.
    """
    if live:
        serve_demo(space, port, as_json)
        return
    with tempfile.TemporaryDirectory(prefix="millstream-demo-") as folder:
        facts = _perform(Path(folder), photons, space)
    if as_json:
        emit_json(facts)
    else:
        _show(facts)


def _perform(folder: Path, photons: int, space: Path | None) -> dict[str, Any]:
    from millstream.generators.photons import PHOTONS_DTD, write

    say(f"generating {photons:,} photons")
    write(folder / "photons.xml", photons)
    opened = time.monotonic()
    with open_mill(space) as mill:
        source = StreamRequest(
            "photons",
            str(folder / "photons.xml"),
            schema=PHOTONS_DTD,
            order_by="det_time",
            finite=True,
        )
        create_streams(mill, (source,))
        plans = {name: mill.explain(text).algebra for name, text in PHOTON_QUERIES.items()}
        for name, text in PHOTON_QUERIES.items():
            mill.subscribe(text, name=name)
        mill.spark()
        started = time.monotonic()
        with shown_progress("demo") as tally:
            mill.run(until="drained", on_progress=tally)
        finished = time.monotonic()
        return {
            **_savings(tally, photons, finished - started),
            "start_seconds": round(started - opened, 3),
            "subscriptions": _answers(mill, plans),
        }


def _savings(tally: Tally, photons: int, seconds: float) -> dict[str, Any]:
    return {
        "photons": photons,
        "parsed": tally.items,
        "parsed_alone": tally.items * len(PHOTON_QUERIES),
        "steps": tally.steps,
        "results": tally.results,
        "seconds": round(seconds, 3),
        "items_per_second": round(tally.items / seconds) if seconds else None,
    }


def _answers(mill: Mill, plans: dict[str, str]) -> dict[str, Any]:
    answers = {}
    for name, text in PHOTON_QUERIES.items():
        items = list(mill.subscriptions[name].results())
        answers[name] = {
            "query": text,
            "plan": plans[name],
            "results": len(items),
            "samples": items[:SAMPLES],
        }
    return answers


def _show(facts: dict[str, Any]) -> None:
    for name, answer in facts["subscriptions"].items():
        emit(f"{name}\n{_shortened(answer['plan'])}\n")
    show(_result_table(facts["subscriptions"]))
    emit(
        f"{facts['photons']:,} photons, {len(facts['subscriptions'])} subscriptions: "
        f"{facts['parsed']:,} items parsed once instead of {facts['parsed_alone']:,}"
    )
    emit(
        f"{facts['results']:,} results in {facts['steps']} steps and {facts['seconds']:.1f} s "
        f"({rate(facts['parsed'], facts['seconds'])}; {facts['start_seconds']:.1f} s to start)"
    )


def _result_table(answers: dict[str, Any]) -> Table:
    table = Table("subscription", "results", "the first items")
    table.columns[1].justify = "right"
    for name, answer in answers.items():
        samples = "\n".join(" ".join(item.split()) for item in answer["samples"])
        table.add_row(name, f"{answer['results']:,}", samples)
    return table


def _shortened(plan: str) -> str:
    lines = plan.splitlines()
    shown = lines[:PLAN_LINES]
    if len(lines) > PLAN_LINES:
        shown.append(f"… {len(lines) - PLAN_LINES} lines more")
    return "\n".join(f"  {line}" for line in shown)
