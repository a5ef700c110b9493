"""Windows by the reference evaluator; each test draws its windows over ticks or items."""

from __future__ import annotations

from decimal import Decimal

import pytest

from millstream.algebra.expressions import (
    Compare,
    Each,
    Expression,
    Literal,
    PathTo,
    Sequence,
    Text,
)
from millstream.algebra.operators import Join, Operator, Query, Select, Unnest, Window
from millstream.model.schema import ValueType
from millstream.model.window import EndRule, WindowKind, WindowSpec
from millstream.testing.reference import Outcome, StreamSettings, evaluate
from tests.testing.photons import PHOTON, SCAN, aggregation, path, photons, query, timed


def diff(size: int, step: int, reference: str = "det_time") -> WindowSpec:
    return WindowSpec(WindowKind.DIFF, size, step, tuple(reference.split("/")))


def count(size: int, step: int) -> WindowSpec:
    return WindowSpec(WindowKind.COUNT, size, step)


def contents(spec: WindowSpec, below: Operator = SCAN, empty: bool = False) -> Query:
    """Each window as the detection times in it, with a comma after each."""
    window = Window(below, "w", spec, keeps_contents=True, empty=empty)
    listed: Expression = Each("x", PathTo("w"), Sequence((path("det_time/text()", "x"), Text(","))))
    return query(window, Sequence((Text("["), listed, Text("]"))))


def listed(outcome: Outcome) -> str:
    return " ".join(outcome.results).replace(",]", "]")


END_RULES = [
    # item  0 1 2 3 4 5 6      size 4, step 2
    #       [0      )
    #           [1      )
    #               [2      )  unfinished
    #                   [3      )
    (EndRule.CUT, count(4, 2), "[0,1,2,3] [2,3,4,5]"),
    (EndRule.GATHER, count(4, 2), "[0,1,2,3] [2,3,4,5] [4,5,6]"),
    (EndRule.RUN, count(4, 2), "[0,1,2,3] [2,3,4,5] [4,5,6] [6]"),
    (None, count(4, 2), "[0,1,2,3] [2,3,4,5]"),
    # items between windows are in none
    (EndRule.RUN, count(2, 3), "[0,1] [3,4] [6]"),
    (EndRule.GATHER, count(2, 3), "[0,1] [3,4] [6]"),
    # tick  0 1 2 3 4 5 6      the same windows; the last tick, 6, lies in the third
    (EndRule.CUT, diff(4, 2), "[0,1,2,3] [2,3,4,5]"),
    (EndRule.GATHER, diff(4, 2), "[0,1,2,3] [2,3,4,5] [4,5,6]"),
    (EndRule.RUN, diff(4, 2), "[0,1,2,3] [2,3,4,5] [4,5,6] [6]"),
    (None, diff(4, 2), "[0,1,2,3] [2,3,4,5] [4,5,6] [6]"),
]


@pytest.mark.parametrize(("rule", "spec", "expected"), END_RULES)
def test_end_rules(rule: EndRule | None, spec: WindowSpec, expected: str) -> None:
    assert listed(evaluate(contents(spec), timed(*range(7)), end=rule)) == expected


def test_a_full_last_window_is_gathered_once() -> None:
    outcome = evaluate(contents(count(4, 2)), timed(*range(6)), end=EndRule.GATHER)
    assert listed(outcome) == "[0,1,2,3] [2,3,4,5]"


def test_nothing_more_without_an_end() -> None:
    assert listed(evaluate(contents(diff(4, 2)), timed(*range(7)), ended=False)) == (
        "[0,1,2,3] [2,3,4,5]"
    )


def test_the_window_says_how_it_ends_unless_the_subscription_does() -> None:
    window = Window(SCAN, "w", count(4, 2), (aggregation("n", "count"),), end=EndRule.RUN)
    counted = query(window, PathTo("n"))
    assert evaluate(counted, timed(*range(3))).results == ("3", "1")
    assert evaluate(counted, timed(*range(3)), end=EndRule.CUT).results == ()


def test_empty_windows_are_omitted_or_given_inside_the_stream() -> None:
    # tick  0 2 4 6 8 10      size and step 2: nothing before 2, in [4,6) and [6,8)
    query = contents(diff(2, 2))
    arrivals = timed(2, 3, 8)
    assert listed(evaluate(query, arrivals)) == "[2,3] [8]"
    assert listed(evaluate(query, arrivals, empty=True)) == "[2,3] [] [] [8]"
    assert listed(evaluate(contents(diff(2, 2), empty=True), arrivals)) == "[2,3] [] [] [8]"


def test_empty_windows_have_count_and_sum_only() -> None:
    names = ("count", "sum", "min", "max", "avg")
    window = Window(
        SCAN,
        "w",
        diff(1, 1),
        tuple(aggregation(name, name, "" if name == "count" else "phc") for name in names),
    )
    template = Sequence(tuple(PathTo(name) for name in names))
    outcome = evaluate(query(window, template), timed(0, 2), empty=True)
    assert outcome.results == ("1 0", "0 0", "1 0")


def test_the_predicate_chooses_contents_but_not_the_time_of_the_stream() -> None:
    below = Select(SCAN, Compare("<", path("det_time"), Literal(3)))
    arrivals = timed(1, 2, 4)
    assert listed(evaluate(contents(diff(4, 4), below), arrivals, ended=False)) == "[1,2]"
    assert listed(evaluate(contents(count(2, 2), below), arrivals)) == "[1,2]"


def test_windows_may_overlap_or_leave_gaps_and_never_start_before_the_anchor() -> None:
    assert listed(evaluate(contents(diff(2, 3)), timed(-1, 0, 1, 2, 3, 5))) == "[0,1] [3]"


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [
        (0, "[7,8] [9]"),
        (7, "[7,8,9]"),
        ("first", "[7,8,9]"),
        (Decimal("-1.5"), "[7] [8,9]"),
        ("8", "[8,9]"),
    ],
)
def test_anchor(anchor: int | Decimal | str, expected: str) -> None:
    settings = {"photons": StreamSettings(anchor)}
    assert listed(evaluate(contents(diff(3, 3)), timed(7, 8, 9), settings=settings)) == expected


def test_times_tick_in_seconds() -> None:
    window = Window(SCAN, "w", diff(60, 60, "seen"), (aggregation("n", "count"),))
    seconds = ("10:00:59.5", "10:01:00", "10:01:59.999", "10:03:00")
    arrivals = photons(*(f"<seen>2024-05-01T{each}Z</seen>" for each in seconds))
    counted = query(window, PathTo("n"))
    assert evaluate(counted, arrivals).results == ("1", "2", "1")
    settings = {"photons": StreamSettings("2024-05-01T10:00:30Z")}
    assert evaluate(counted, arrivals, settings=settings).results == ("2", "1", "1")


def test_decimal_references_are_exact() -> None:
    window = Window(SCAN, "w", diff(2, 2, "en"), (aggregation("n", "count"),))
    arrivals = photons("<en>0.3</en>", "<en>2.3</en>")
    settings = {"photons": StreamSettings("first")}
    assert evaluate(query(window, PathTo("n")), arrivals, settings=settings).results == ("1", "1")


def test_items_without_a_reference_are_in_no_window() -> None:
    outcome = evaluate(contents(diff(2, 2)), timed(0, None, "soon", 1))
    assert (listed(outcome), outcome.late) == ("[0,1]", ())


# tick     0    2    4    6    8
#          [w0       )
#               [w1       )
#                    [w2       )


def test_late_items_have_no_open_window() -> None:
    outcome = evaluate(contents(diff(4, 2)), timed(1, 3, 5, 3, 1, 7))
    assert listed(outcome) == "[1,3] [3,5,3] [5,7] [7]"
    assert outcome.late == (4,)


def test_lateness_keeps_windows_open() -> None:
    settings = {"photons": StreamSettings(lateness=2)}
    outcome = evaluate(contents(diff(4, 2)), timed(1, 3, 5, 3, 1, 6, 1), settings=settings)
    assert listed(outcome) == "[1,3,3,1] [3,5,3] [5,6] [6]"
    assert outcome.late == (6,)


def test_only_items_that_pass_are_late() -> None:
    below = Select(SCAN, Compare("!=", path("det_time"), Literal(1)))
    assert evaluate(contents(diff(2, 2), below), timed(0, 4, 1, 0)).late == (3,)


def test_items_between_windows_are_not_late() -> None:
    assert evaluate(contents(diff(1, 4)), timed(0, 9, 2, 4)).late == (3,)


def test_an_item_in_time_for_one_branch_is_not_late() -> None:
    short, wide = contents(diff(1, 1)), contents(diff(10, 10))
    both = Query((*short.branches, *wide.branches))
    assert evaluate(both, timed(0, 4, 0)).late == ()


def test_a_late_registration_gets_no_partial_time_window() -> None:
    # the stream stands at 3: the first window starts after it
    outcome = evaluate(contents(diff(4, 2)), timed(1, 3, 3, 4, 5, 8), registered_after=2)
    assert listed(outcome) == "[4,5] [8] [8]"
    assert outcome.late == ()


def test_a_late_registration_counts_items_from_there() -> None:
    outcome = evaluate(contents(count(2, 1)), timed(1, 2, 3, 4, 5), registered_after=2)
    assert listed(outcome) == "[3,4] [4,5]"


def test_a_late_registration_gathers_in_its_own_windows() -> None:
    outcome = evaluate(contents(diff(4, 2)), timed(1, 4, 4), registered_after=1, end=EndRule.GATHER)
    assert listed(outcome) == "[4,4]"


def test_aggregates_are_exact_and_filtered() -> None:
    window = Window(
        SCAN,
        "w",
        count(3, 3),
        (
            aggregation("s", "sum", "en", ValueType.DECIMAL),
            aggregation("a", "avg", "en", ValueType.DECIMAL),
            aggregation("n", "count", "en"),
        ),
    )
    kept = Select(window, Compare(">=", PathTo("a"), Literal(Decimal("0.15"))))
    template = Sequence((PathTo("s"), PathTo("a"), PathTo("n")))
    arrivals = photons("<en>0.1</en>", "", "<en>0.20</en>", "<en>0.1</en>", "", "<en></en>")
    assert evaluate(query(kept, template), arrivals).results == ("0.3 0.15 2",)


def test_times_and_texts_have_a_least_and_greatest() -> None:
    window = Window(
        SCAN,
        "w",
        count(2, 2),
        (
            aggregation("t", "max", "seen", ValueType.TIME),
            aggregation("n", "min", "note", ValueType.TEXT),
        ),
    )
    arrivals = photons(
        "<seen>2024-05-01T10:00:00Z</seen><note>b</note>",
        "<seen>2024-05-01T11:00:00+02:00</seen><note> a </note><note/>",
    )
    after = Select(window, Compare(">", PathTo("t"), Literal("2024-05-01T09:30:00Z")))
    expected = ("2024-05-01T10:00:00Z a",)
    assert (
        evaluate(query(after, Sequence((PathTo("t"), PathTo("n")))), arrivals).results == expected
    )


def test_window_contents_can_be_unnested() -> None:
    window = Window(SCAN, "w", count(2, 1), keeps_contents=True)
    each = Unnest(window, "x", path("det_time", "w"), PHOTON.children[3])
    assert evaluate(query(each, path("text()", "x")), timed(1, 2, 3)).results == (
        "1",
        "2",
        "2",
        "3",
    )


def test_every_pair_is_joined_once_when_its_later_member_arrives() -> None:
    left, right = SCAN, type(SCAN)("others", "q", SCAN.schema)
    join = Join(left, right, Compare("<=", path("phc"), path("phc", "q")))
    template = Sequence((path("phc/text()"), Text("-"), path("phc/text()", "q")))
    xml = "<photon><phc>{}</phc></photon>".format
    arrivals = [("photons", xml(1)), ("others", xml(0)), ("photons", xml(2)), ("others", xml(3))]
    arrivals += [("others", xml(1)), ("photons", xml(0))]
    expected = ("1-3", "2-3", "1-1", "0-0", "0-3", "0-1")
    assert evaluate(query(join, template), arrivals).results == expected


def test_branches_answer_in_order_for_each_arrival() -> None:
    branch = query(SCAN, path("det_time/text()")).branches[0]
    again = query(Select(SCAN, Compare(">", path("det_time"), Literal(1))), Literal("x")).branches[
        0
    ]
    assert evaluate(Query((branch, again)), timed(1, 2, 3)).results == ("1", "2", "x", "3", "x")


def test_unnest_gives_nodes_in_document_order() -> None:
    notes = Unnest(SCAN, "n", path("note"), PHOTON.children[5])
    arrivals = photons("<note>a</note><note>b</note>", "", "<note>c</note>")
    assert evaluate(query(notes, path("text()", "n")), arrivals).results == ("a", "b", "c")
