"""What queries tell of time: lifespans, projections and versions, against plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from millstream.history.body import VIEW_ATTRIBUTES
from millstream.history.filler_store import FillerStore, canonical
from millstream.history.temporal_view import lifespan_of, materialize
from millstream.languages.xquery.operations import ALLEN
from millstream.model.lifespan import Lifespan, cover, format_instant, show_begin, show_end
from tests.history.asking import Asked
from tests.history.credit import ACCOUNT, ALL, LIMIT, PIZZA, ROOT, filler, store, time
from tests.history.strategies import MARK
from tests.history.test_laws import BEGIN, Author, authors

PATIENTLY = {"deadline": None, "suppress_health_check": list(HealthCheck), "max_examples": 15}
INSTANTS = st.integers(0, 6).map(lambda second: BEGIN + timedelta(seconds=second))


def roots_of(store: FillerStore) -> list[etree._Element]:
    """The roots of a temporal view: of several versions, each."""
    view = etree.fromstring(materialize(store))
    return list(view) if view.tag == "filler" else [view]


def elements(node: etree._Element) -> Iterator[etree._Element]:
    return (each for each in node.iter() if isinstance(each.tag, str))


def shown(element: etree._Element, lifespan: Lifespan) -> str:
    return f"{element.get(MARK)} {show_begin(lifespan)} {show_end(lifespan)}"


@settings(**PATIENTLY)
@given(authors())
def test_every_element_has_the_lifespan_of_the_view(author: Author) -> None:
    store = FillerStore(author.structure, author.fillers)
    expected = {
        shown(element, lifespan_of(element))
        for root in roots_of(store)
        for element in elements(root)
    }
    query = f"for $x in stream('s')//* return <t>{{ string($x/@{MARK}), vtFrom($x), vtTo($x) }}</t>"
    found = [etree.fromstring(each).text for each in Asked({"s": store})(query)]
    assert set(found) == expected


def sliced(element: etree._Element, begin: datetime, end: datetime) -> Lifespan | None:
    """Cut an element of a view down to what held between two instants; None if nothing did."""
    own = lifespan_of(element) if element.get(VIEW_ATTRIBUTES[0]) else None
    left = own and own.clip(begin, end)
    if own is not None and left is None:
        return None
    inside = []
    for child in [each for each in element if isinstance(each.tag, str)]:
        lifespan = sliced(child, begin, end)
        if lifespan is None:
            before, parent = child.getprevious(), child.getparent()
            assert parent is not None
            if before is None:
                parent.text = (parent.text or "") + (child.tail or "")
            else:
                before.tail = (before.tail or "") + (child.tail or "")
            parent.remove(child)
        else:
            inside.append(lifespan)
    for name in VIEW_ATTRIBUTES:
        element.attrib.pop(name, None)
    return left or cover(inside)


@settings(**PATIENTLY)
@given(authors(), INSTANTS, INSTANTS)
def test_a_projection_cuts_the_whole_view(author: Author, one: datetime, other: datetime) -> None:
    begin, end = min(one, other), max(one, other)
    store = FillerStore(author.structure, author.fillers)
    kept = [(root, sliced(root, begin, end)) for root in roots_of(store)]
    left = [(root, lifespan) for root, lifespan in kept if lifespan is not None]
    asked = Asked({"s": store})
    projected = f"stream('s')?[{format_instant(begin)}, {format_instant(end)}]"
    found = asked(projected)
    expected = [etree.tostring(root, encoding="unicode") for root, _ in left]
    assert list(map(canonical, found)) == list(map(canonical, expected))
    times = asked(f"for $x in {projected}/* return <t>{{ vtFrom($x), vtTo($x) }}</t>")
    assert times == [f"<t>{show_begin(each)} {show_end(each)}</t>" for _, each in left]


def asked(*more: object) -> Asked:
    return Asked({"credit": store(*ALL, *more)})  # type: ignore[arg-type]


CREDIT = 'stream("credit")'


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        # At the instant of change the new version holds, and only it.
        ("//creditLimit?[2003-06-01]", ["5000"]),
        ("//creditLimit?[2003-01-01, 2003-06-01]", ["2000", "5000"]),
        ("//creditLimit?[2003-01-01, 2003-05-31]", ["2000"]),
        ("//creditLimit?[start, now]", ["2000", "5000"]),
        ("//creditLimit?[start]", []),
        ("//creditLimit?[2002-12-31]", []),
        ("//creditLimit?[now]", ["5000"]),
        ("//creditLimit?[now - P1Y, now - P1M]", ["2000"]),
        # Computed bounds that end before they begin give nothing.
        ("//creditLimit?[now, now - PT1S]", []),
        ("//creditLimit?[vtFrom(()), now]", []),
        # Numbers of versions go by the time from which they hold.
        ("//creditLimit#[1]", ["2000"]),
        ("//creditLimit#[last]", ["5000"]),
        ("//creditLimit#[last-1, last]", ["2000", "5000"]),
        ("//creditLimit#[2, 7]", ["5000"]),
        ("//creditLimit#[7]", []),
        ("//creditLimit#[last + 1 - 2]", ["2000"]),
        ("//creditLimit#[last, 1]", []),
        # Projections combine in either order.
        ("//creditLimit?[2003-06-01, now]#[1]", ["5000"]),
        ("//creditLimit#[1]?[2003-06-01, now]", []),
        ("//customer#[1]", ["Smith"]),
        # A transaction is an event; what is in it comes later and stays with it.
        ("//transaction#[1]/status", ["charged"]),
        ("//transaction?[2003-02-01]/status", []),
        ("//transaction?[2003-02-01, 2003-02-02]/status", ["charged"]),
        ("//transaction?[2003-02-02]", []),
        # What is constructed takes its times along.
        ("/<x>{ .//creditLimit }</x>?[2003-01-02]/creditLimit", ["2000"]),
        ("/<x>{ .//creditLimit }</x>/creditLimit#[last]", ["5000"]),
        # Words of time, outside brackets as well.
        ("//creditLimit[vtTo(.) = now]", ["5000"]),
        ("//creditLimit[vtTo(.) != now]", ["2000"]),
        ("//creditLimit[vtTo() = now]", ["5000"]),
        ("//creditLimit[@vtTo = now]", ["5000"]),
        ("//creditLimit[@vtFrom = '2003-06-01T00:00:00']", ["5000"]),
        ("//creditLimit[vtFrom(.) > now - P1D]", ["5000"]),
        ("//creditLimit[vtFrom(.) + 3600 = 2003-06-01T01:00:00]", ["5000"]),
        ("//creditLimit[vtTo(.) - vtFrom(.) < P200D]", ["2000", "5000"]),
        ("//creditLimit[vtTo(.) > now]", ["5000"]),
        ("//transaction[vtTo(.) = now]", []),
    ],
)
def test_what_a_query_in_time_finds(query: str, expected: list[str]) -> None:
    # The last thing that happens is the raise of the limit, which is now.
    found = asked()(f"for $x in {CREDIT}{query} return string($x)")
    assert found == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("vtFrom({}//account)", ["2003-01-01T00:00:00"]),
        ("vtTo({}//account)", ["now"]),
        ("vtFrom({}//customer)", ["start"]),
        ("vtTo({}//customer)", ["now"]),
        ("vtTo({}//transaction)", ["2003-02-01T00:00:00"]),
        ("vtFrom({}/creditAccounts)", ["2003-01-01T00:00:00"]),
        ("vtTo({}//creditLimit?[2003-02-01, 2003-03-01])", ["2003-03-01T00:00:00"]),
        ("vtFrom(<x>{{ {}//status }}</x>)", ["2003-02-02T00:00:00"]),
        ("vtFrom(<x/>)", ["start"]),
        ("{}//creditLimit/concat(vtFrom(.), ' ', vtTo(.))",
         ["2003-01-01T00:00:00 2003-06-01T00:00:00", "2003-06-01T00:00:00 now"]),
        ("<t a=\"{{ vtTo({}//account) }}\"/>", ['<t a="now"/>']),
        ("{}//account/@vtFrom", ["2003-01-01T00:00:00"]),
        ("{}//creditLimit/@vtTo", ["2003-06-01T00:00:00", "now"]),
        ("{}//customer/@vtTo", []),
        ("{}//account/@*", ["7"]),
        ("{}//account?[now]/@*", ["7"]),
        ("{}//creditLimit/@vtTo[. != 'now']", ["2003-06-01T00:00:00"]),
    ],
)  # fmt: skip
def test_when_elements_hold(query: str, expected: list[str]) -> None:
    assert asked()(query.format(CREDIT)) == expected


def test_now_is_what_the_caller_says() -> None:
    assert asked()(f"{CREDIT}//creditLimit?[now]/text()", time("2003-05-01")) == ["2000"]


def test_versions_that_come_late_are_numbered_by_their_times() -> None:
    late = filler(2, 4, "2003-03-01", "<creditLimit>3000</creditLimit>")
    found = asked(late)(f"for $n in (1, 2, 3) return {CREDIT}//creditLimit#[$n]/text()")
    assert found == ["2000", "3000", "5000"]


def test_events_of_one_instant_are_numbered_as_they_came() -> None:
    second, first = (
        filler(3, 5, "2003-02-01", f"<transaction><vendor>{name}</vendor></transaction>")
        for name in ("B", "A")
    )
    credit = Asked({"credit": store(ROOT, ACCOUNT, LIMIT, second, first, PIZZA)})
    found = credit(f"for $n in (1, 2, 3) return {CREDIT}//transaction#[$n]/vendor/text()")
    assert found == ["B", "A", "Pizza"]


MOVED = filler(
    1,
    2,
    "2003-04-01",
    '<account id="7"><customer>Smythe</customer><hole id="2" tsid="4"/>'
    '<hole id="3" tsid="5"/></account>',
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("count({}//account)", ["2"]),
        ("count({}//creditLimit)", ["2"]),
        ("count({}?[start, now]//creditLimit)", ["2"]),
        ("count({}//status)", ["1"]),
        ("for $a in {}//account return count($a/creditLimit)", ["2", "2"]),
        ("for $a in {}//account where vtTo($a) = now return $a/customer/text()", ["Smythe"]),
        ("count({0}//account[1]/creditLimit | {0}//account[2]/creditLimit)", ["2"]),
        ("{0}//account[1]/creditLimit[1] is {0}//account[2]/creditLimit[1]", ["true"]),
        ("{0}//account[1]/creditLimit[1] << {0}//account[2]/creditLimit[2]", ["true"]),
        ("for $a in {}//account#[1] return ($a/customer, $a/creditLimit)/text()",
         ["Smith", "2000"]),
        ("for $a in {}//account#[2] return ($a/customer, $a/creditLimit)/text()",
         ["Smythe", "2000", "5000"]),
        ("{}//account#[1]/transaction/status/text()", ["charged"]),
    ],
)  # fmt: skip
def test_one_version_of_a_filler_is_one_node(query: str, expected: list[str]) -> None:
    assert asked(MOVED)(query.format(CREDIT)) == expected


def allen(one: tuple[int, int], other: tuple[int, int]) -> str:
    """How two closed intervals lie to each other, told by cases."""
    (a, b), (c, d) = one, other
    if (a, b) == (c, d):
        return "equals"
    if a == c:
        return "starts" if b < d else "started-by"
    if b == d:
        return "finishes" if a > c else "finished-by"
    if c < a and b < d:
        return "during"
    if a < c and d < b:
        return "contains"
    if a < c:
        return "before" if b < c else "meets" if b == c else "overlaps"
    return "after" if d < a else "met-by" if d == a else "overlapped-by"


def instant(second: int) -> str:
    return format_instant(BEGIN + timedelta(seconds=second))


def test_intervals_lie_to_each_other_in_one_of_thirteen_ways() -> None:
    intervals = [(begin, end) for begin in range(4) for end in range(begin, 4)]
    pairs = [(one, other) for one in intervals for other in intervals]
    asked_pairs = ", ".join(
        "string-join(("
        + ", ".join(f"if ({literal(one)} {word} {literal(other)}) then '{word}' else ()"
                    for word in ALLEN)
        + "), ' ')"
        for one, other in pairs
    )  # fmt: skip
    found = asked()(asked_pairs)
    assert found == [allen(one, other) for one, other in pairs]
    assert set(found) == set(ALLEN)


def literal(interval: tuple[int, int]) -> str:
    return f"[{instant(interval[0])}, {instant(interval[1])}]"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("$old meets $new", True),
        ("$new met-by $old", True),
        ("$old equals [2003-01-01, 2003-06-01]", True),
        ("$old starts [2003-01-01, now]", True),
        ("$new finishes [2003-01-01, now]", True),
        ("$old equals [start, now]", False),
        ("{}//customer equals [start, now]", True),
        ("{}//transaction during $old", True),
        ("{}//transaction before $new", True),
        # An event at the instant of change happens under the new version.
        ("{}//transaction?[2003-06-01] starts $new", False),
        ("[2003-06-01] starts $new", True),
        ("[2003-06-01] met-by $old", True),
        ("[2003-06-01] finishes $old", False),
        ("{}//creditLimit before [now]", False),
        ("{}//creditLimit meets {}//creditLimit", True),
        ("$old before ()", False),
        ("[now, now - PT1S] before $new", False),
    ],
)
def test_lifespans_are_compared_by_words(condition: str, expected: bool) -> None:
    query = (
        f"let $old := {CREDIT}//creditLimit[1], $new := {CREDIT}//creditLimit[2] "
        f"return {condition.format(CREDIT, CREDIT)}"
    )
    assert asked()(query) == [str(expected).lower()]
