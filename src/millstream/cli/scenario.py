"""millstream scenario"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.table import Table

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit, emit_json, say, show

if TYPE_CHECKING:
    from millstream.cli.scenario_plan import Planned
    from millstream.scenarios import Scenario
    from millstream.sharing.planner import Strategy

FileArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE|NAME",
        help="A scenario file (TOML or XML), or the name of one that comes with Millstream.",
    ),
]
StrategyOption = Annotated[
    Literal["sharing", "query-shipping", "data-shipping"] | None,
    typer.Option("--strategy", help="Only this one; else all three, side by side."),
]
RunOption = Annotated[
    bool, typer.Option("--run", help="Run the plans, and count bytes and seconds.")
]
ItemsOption = Annotated[
    int | None,
    typer.Option("--items", min=1, metavar="N", help="With --run, only the first N of a stream."),
]
ProcessesOption = Annotated[
    bool, typer.Option("--processes", help="With --run, every super-peer is a process of its own.")
]
PlansOption = Annotated[bool, typer.Option("--plans", help="Show the plan of every query.")]
XmlOption = Annotated[
    Path | None,
    typer.Option("--xml", metavar="DIR", help="Write the plans as XML, one file a query."),
]

WARM_UP = 200
"""Items of each stream that are run before anything is measured."""


def scenario(
    file: FileArgument,
    strategy: StrategyOption = None,
    run: RunOption = False,
    items: ItemsOption = None,
    processes: ProcessesOption = False,
    plans: PlansOption = False,
    xml: XmlOption = None,
    as_json: JsonOption = False,
) -> None:
    """Plan, and with --run execute, the queries of a scenario in its network."""
    from millstream.cli.scenario_plan import known_streams, planned
    from millstream.scenarios import scenario as read

    told = read(file)
    for note in told.notes:
        say(note)
    known = known_streams(told)
    outcomes = [planned(told, each, known) for each in _strategies(strategy)]
    facts = _facts(told, outcomes)
    if run:
        _run(told, outcomes, items, facts, processes=processes)
    if xml is not None:
        _write_plans(outcomes[0], xml)
    if as_json:
        emit_json(facts)
        return
    if plans:
        _show_plans(outcomes)
    _show(facts)


def _strategies(chosen: str | None) -> tuple[Strategy, ...]:
    from millstream.sharing.planner import Strategy

    return tuple(Strategy) if chosen is None else (Strategy(chosen),)


def _facts(told: Scenario, outcomes: list[Planned]) -> dict[str, Any]:
    strategies = {each.strategy.value: each.facts() for each in outcomes}
    return {
        "scenario": told.name,
        "description": told.description,
        "peers": len(told.network.peers),
        "streams": len(told.streams),
        "queries": len(told.queries),
        "units": {"traffic": "kbit/s", "work": "% of capacity", "registration": "ms"},
        "strategies": strategies,
        "ratios": ratios({name: each["bytes_per_second"] for name, each in strategies.items()}),
    }


def _run(
    told: Scenario,
    outcomes: list[Planned],
    items: int | None,
    facts: dict[str, Any],
    *,
    processes: bool,
) -> None:
    """Run the plans, and add what was counted to the facts."""
    from millstream.cli.scenario_processes import compared, measured_by_peers
    from millstream.cli.scenario_run import check_equal, measured

    if len(outcomes) > 1:
        # Spark's first steps in a process are slow; whoever came first would pay for all.
        measured(told, outcomes[0], min(items or WARM_UP, WARM_UP))
    runs = {each.strategy.value: measured(told, each, items) for each in outcomes}
    check_equal(runs)
    for outcome in outcomes if processes else ():
        name = outcome.strategy.value
        by_peers = measured_by_peers(told, outcome, items)
        check_equal({f"{name} in one process": runs[name], f"{name} by peers": by_peers})
        say(f"{name}: the peers gave the same results as one process")
        runs[name]["peers"] = compared(told, outcome, by_peers)
    for strategy, each in runs.items():
        del each["digests"]
        facts["strategies"][strategy]["run"] = each
    sent = {strategy: each["bytes_times_hops"] for strategy, each in runs.items()}
    facts["measured_ratios"] = ratios(sent)


def ratios(amounts: dict[str, float]) -> dict[str, float]:
    """How many times the traffic of sharing the other strategies need."""
    least = amounts.get("sharing")
    if not least:
        return {}
    return {
        f"{name} ÷ sharing": round(each / least, 2)
        for name, each in amounts.items()
        if name != "sharing"
    }


def _write_plans(outcome: Planned, folder: Path) -> None:
    from millstream.sharing.planner.plan_xml import plan_xml

    folder.mkdir(parents=True, exist_ok=True)
    for name, plan in outcome.plans.items():
        (folder / f"{name}.xml").write_text(plan_xml(plan), encoding="utf-8")
    say(f"wrote {len(outcome.plans)} plans to {folder}")


def _show_plans(outcomes: list[Planned]) -> None:
    for outcome in outcomes:
        for plan in outcome.plans.values():
            emit(str(plan))
    emit("")


def _show(facts: dict[str, Any]) -> None:
    say(
        f"{facts['scenario']}: {facts['peers']} super-peers, {facts['streams']} streams,"
        f" {facts['queries']} queries"
    )
    strategies: dict[str, dict[str, Any]] = facts["strategies"]
    for title, key in (("planned traffic, kbit/s", "traffic"), ("planned work, %", "work")):
        show(_by_place(title, {name: each[key] for name, each in strategies.items()}))
    show(_totals(strategies))
    if all("run" in each for each in strategies.values()):
        runs = {name: each["run"] for name, each in strategies.items()}
        for title, key in (("bytes sent", "bytes"), ("busy seconds", "seconds")):
            show(_by_place(title, {name: each[key] for name, each in runs.items()}))
        for name, each in runs.items():
            if "peers" in each:
                show(_by_peers(f"{name}, every super-peer a process", each["peers"]))
    for title, key in (("planned", "ratios"), ("measured", "measured_ratios")):
        for ratio, value in facts.get(key, {}).items():
            emit(f"{title} traffic, {ratio}: {value}")
    for name, each in strategies.items():
        for query, reason in each["refused"].items():
            emit(f"{name} refuses {query}: {reason}")


def _by_place(title: str, amounts: dict[str, dict[str, float]]) -> Table:
    drawn = Table("", *amounts, title=title)
    for column in drawn.columns[1:]:
        column.justify = "right"
    for place in next(iter(amounts.values())):
        drawn.add_row(place, *(f"{each[place]:,.2f}" for each in amounts.values()))
    sums = [sum(each.values()) for each in amounts.values()]
    drawn.add_section()
    drawn.add_row("all", *(f"{each:,.2f}" for each in sums))
    return drawn


def _by_peers(title: str, links: dict[str, dict[str, Any]]) -> Table:
    columns = ("planned bytes", "bytes of items", "÷ planned", "bytes in all", "packets")
    drawn = Table("", *columns, title=title)
    for column in drawn.columns[1:]:
        column.justify = "right"
    for link, each in links.items():
        ratio = "" if each["ratio"] is None else f"{each['ratio']:.3f}"
        amounts = (f"{each['planned']:,.0f}", f"{each['payload']:,}", ratio)
        drawn.add_row(link, *amounts, f"{each['bytes']:,}", str(each["packets"]))
    return drawn


def _totals(strategies: dict[str, dict[str, Any]]) -> Table:
    drawn = Table("", *strategies, title="registration")
    for column in drawn.columns[1:]:
        column.justify = "right"
    for key in ("mean", "least", "most"):
        times = (each["registration"][key] for each in strategies.values())
        drawn.add_row(f"{key}, ms", *(f"{each:.2f}" for each in times))
    drawn.add_row("flows", *(str(each["flows"]) for each in strategies.values()))
    drawn.add_row("refused", *(str(len(each["refused"])) for each in strategies.values()))
    return drawn
