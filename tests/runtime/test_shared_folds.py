"""Windows over the same rows share their slices, whatever their sizes, thresholds and templates."""

from __future__ import annotations

import pytest

import millstream
from millstream.mill import Mill
from millstream.runtime import shared_batch
from millstream.runtime.fold_sharing import fold_sharing
from millstream.runtime.journal import StreamState
from millstream.runtime.records import SubscriptionRecord
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed
from millstream.testing.reference import StreamSettings, evaluate

DTD = "<!ELEMENT r (i*)><!ELEMENT i (t, v)><!ELEMENT t (#PCDATA)><!ELEMENT v (#PCDATA)>"
TYPES = {"t": "integer", "v": "integer"}
ITEMS = 'stream("items")/r/i'


def item(time: int, value: int) -> str:
    return f"<i><t>{time}</t><v>{value}</v></i>"


def windows(spec: str, result: str, where: str = "", least: int = 1) -> str:
    return f"<o>{{ for $w in {ITEMS}[v >= {least}]|{spec}| {where} return {result} }}</o>"


def opened(spark: SparkSession, lateness: int = 0) -> Mill:
    mill = millstream.open(None, spark=spark)
    mill.create_stream("items", "nowhere", schema=DTD, types=TYPES, lateness=lateness)
    return mill


def state(mill: Mill) -> StreamState:
    return mill.runner("items").journal.state


def check(mill: Mill, items: list[str], after: dict[str, int], lateness: int = 0) -> None:
    """Every subscription has what it would have by itself, from so many items on."""
    arrivals = [("items", each) for each in items]
    settings = {"items": StreamSettings(lateness=lateness)}
    for name, subscription in mill.subscriptions.items():
        missed = after.get(name, 0)
        alone = evaluate(
            subscription.query, arrivals, settings=settings, registered_after=missed
        ).results
        assert list(subscription.results()) == list(alone), name


SAME_ROWS = {
    "average": windows("t diff 20 step 10", "<a>{ avg($w/v) }</a>"),
    "other windows": windows("t diff 30 step 45", "<a>{ avg($w/v) }</a>"),
    "other aggregate": windows("t diff 7 step 7", "<m>{ max($w/v) } { min($w/v) }</m>"),
    "threshold": windows("t diff 20 step 10", "<a>{ $a }</a>", "let $a := avg($w/v) where $a > 3"),
    "higher": windows("t diff 20 step 10", "<a>{ $a }</a>", "let $a := avg($w/v) where $a > 5"),
    "count": windows("t diff 12 step 5", "<n>{ count($w) }</n>", "where sum($w/v) >= 20"),
}


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_windows_over_the_same_rows_share_a_fold(spark: SparkSession) -> None:
    items = [item(time, time % 9) for time in range(0, 120, 2)]
    with opened(spark) as mill:
        for name, text in SAME_ROWS.items():
            mill.subscribe(text, name=name)
        mill.subscribe(windows("t diff 20 step 10", "<a>{ avg($w/v) }</a>", least=4), name="few")
        feed = DirectFeed(mill, "items")
        feed.push(items[:25])
        feed.push(items[25:])
        assert (len(state(mill).channels), len(state(mill).folds)) == (7, 2)
        feed.end()
        check(mill, items, {})


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_item_windows_share_a_fold_if_they_count_from_the_same_item(spark: SparkSession) -> None:
    items = [item(time, time % 9) for time in range(60)]
    specs = {"one": "count 7 step 3", "other": "count 4 step 6", "wide": "count 20 step 5"}
    with opened(spark) as mill:
        for name, spec in specs.items():
            mill.subscribe(windows(spec, "<s>{ sum($w/v) }</s>"), name=name)
        feed = DirectFeed(mill, "items")
        feed.push(items[:20])
        for name, spec in specs.items():
            mill.subscribe(windows(spec, "<m>{ min($w/v) }</m>"), name=f"late {name}")
        feed.push(items[20:40])
        assert len(state(mill).folds) == 2
        feed.push(items[40:])
        feed.end()
        check(mill, items, {f"late {name}": 20 for name in specs})


@pytest.mark.spark
@pytest.mark.timeout(600)
@pytest.mark.parametrize("full_after", [1, 16])
def test_new_channels_cut_finer_and_ask_for_more(
    spark: SparkSession, full_after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # t     0         20        40        60       batches end within a slice of the early windows
    #       [early              )
    #                 batch 1 ends at 26: late items of 22 and 25 come after it
    monkeypatch.setattr(shared_batch, "FULL_AFTER", full_after)
    items = [item(time, time % 7) for time in (0, 5, 12, 20, 26)]
    late = [item(time, 6) for time in (25, 27, 22, 31, 30)]
    rest = [item(time, time % 5) for time in range(32, 110, 3)]
    with opened(spark, lateness=5) as mill:
        mill.subscribe(windows("t diff 40 step 40", "<a>{ avg($w/v) }</a>"), name="early")
        feed = DirectFeed(mill, "items")
        feed.push(items)
        mill.subscribe(
            windows("t diff 9 step 3", "<m>{ max($w/v) } { count($w) }</m>"), name="finer"
        )
        mill.subscribe(windows("t diff 30 step 30", "<w>{ $w/v }</w>"), name="contents")
        feed.push(late)
        mill.subscribe(windows("t diff 11 step 7", "<s>{ sum($w/v) }</s>"), name="odd")
        feed.push(rest[:10])
        mill.cancel("finer")
        feed.push(rest[10:])
        assert len(state(mill).folds) == 2, "one for aggregates, one for contents"
        feed.end()
        everything = items + late + rest
        found = list(mill.subscriptions["finer"].results())
        query = mill.subscriptions["finer"].query
        mill.registry.subscriptions.pop("finer")
        check(mill, everything, {"contents": 5, "odd": 10}, lateness=5)
    alone = evaluate(
        query,
        [("items", each) for each in everything[:20]],
        settings={"items": StreamSettings(lateness=5)},
        registered_after=5,
        ended=False,
    )
    assert found == list(alone.results)


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_a_fold_goes_with_its_last_channel(spark: SparkSession) -> None:
    items = [item(time, time % 7) for time in range(60)]
    with opened(spark) as mill:
        mill.subscribe(windows("t diff 20 step 10", "<a>{ avg($w/v) }</a>"), name="first")
        feed = DirectFeed(mill, "items")
        feed.push(items[:15])
        (fold,) = state(mill).folds
        mill.subscribe(windows("t diff 20 step 10", "<a>{ sum($w/v) }</a>"), name="second")
        mill.cancel("first")
        feed.push(items[15:30])
        assert set(state(mill).folds) == {fold}
        mill.cancel("second")
        feed.push(items[30:40])
        assert not state(mill).folds
        mill.subscribe(windows("t diff 20 step 10", "<a>{ avg($w/v) }</a>"), name="third")
        feed.push(items[40:])
        assert min(state(mill).folds) > fold, "no number is given twice"
        feed.end()
        found = list(mill.subscriptions["third"].results())
        alone = evaluate(
            mill.subscriptions["third"].query,
            [("items", each) for each in items],
            registered_after=40,
        )
    assert found == list(alone.results)


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_who_starts_from_the_log_has_a_fold_of_its_own(spark: SparkSession) -> None:
    items = [item(time, time % 7) for time in range(60)]
    with opened(spark) as mill:
        mill.subscribe(SAME_ROWS["average"], name="early")
        feed = DirectFeed(mill, "items")
        feed.push(items[:25])
        mill.subscribe(SAME_ROWS["average"], name="late", start="log")
        mill.subscribe(SAME_ROWS["other windows"], name="other", start="log")
        feed.push(items[25:])
        assert len(state(mill).folds) == 2
        feed.end()
        check(mill, items, {})


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_what_is_shared_is_told(spark: SparkSession) -> None:
    def told(mill: Mill, text: str) -> str:
        (branch,) = mill.registry.compile(SubscriptionRecord("new", -1, text, ())).branches
        return str(fold_sharing(state(mill), "items", branch))

    alike = "items alike in v are taken together where that pays"
    contents = windows("t diff 9", "<w>{ $w/v }</w>")
    with opened(spark) as mill:
        new = windows("t diff 20 step 30", "<a>{ max($w/v) }</a>")
        assert (
            told(mill, new) == f"windows from slices of its own, cut at 30k and 20 + 30k; {alike}"
        )
        mill.subscribe(SAME_ROWS["average"])
        mill.subscribe(SAME_ROWS["other windows"])
        DirectFeed(mill, "items").push([item(1, 1)])
        assert told(mill, new) == (
            f"windows from slices shared with 2 channels, cut at 10k, 45k and 30 + 45k; {alike}"
        )
        counted = windows("count 4", "<a>{ sum($w/v) }</a>")
        assert told(mill, counted) == "windows from slices of its own, cut at 4k"
        assert told(mill, contents) == "windows from elements of its own"
