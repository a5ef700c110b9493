"""The sender of a history: new versions, events, insertions and deletions."""

from __future__ import annotations

from io import BytesIO

import pytest

from millstream.errors import ItemError
from millstream.history.filler_store import FillerStore
from millstream.history.temporal_view import snapshot
from millstream.history.updates import Publisher
from millstream.model.filler import Filler, FillerKey
from tests.history.credit import STRUCTURE, time

DOCUMENT = (
    "<creditAccounts><account><customer>Smith</customer><creditLimit>1</creditLimit></account>"
    "</creditAccounts>"
)
ROOT, ACCOUNT, LIMIT, EVENTS = (FillerKey(*key) for key in ((0, 1), (1, 2), (2, 4), (3, 5)))
LATER = time("2003-06-01")


@pytest.fixture
def publisher() -> Publisher:
    made = Publisher(STRUCTURE)
    made.publish(BytesIO(DOCUMENT.encode()), time("2003-01-01"))
    return made


def after(publisher: Publisher, *fillers: Filler) -> str:
    """The document once some fillers have come."""
    first = Publisher(STRUCTURE).publish(BytesIO(DOCUMENT.encode()), time("2003-01-01"))
    return snapshot(FillerStore(STRUCTURE, (*first, *fillers)), LATER)


def test_a_change_is_one_filler(publisher: Publisher) -> None:
    sent = publisher.change(LIMIT, "<creditLimit>2</creditLimit>", LATER)
    assert len(sent) == 1
    assert after(publisher, *sent) == DOCUMENT.replace("1<", "2<")


def test_a_change_keeps_what_is_in_its_holes(publisher: Publisher) -> None:
    content = publisher.newest[ACCOUNT].content.replace("Smith", "Jones")
    sent = publisher.change(ACCOUNT, content, LATER)
    assert after(publisher, *sent) == DOCUMENT.replace("Smith", "Jones")


def test_an_event_goes_into_the_hole_of_its_parent(publisher: Publisher) -> None:
    event = "<transaction><vendor>Pizza</vendor><status>charged</status></transaction>"
    *inner, transaction = publisher.post(ACCOUNT, event, LATER)
    assert (transaction.key, [filler.tsid for filler in inner]) == (EVENTS, [7])
    assert event in after(publisher, *inner, transaction)


def test_an_event_goes_into_the_last_of_several_holes(publisher: Publisher) -> None:
    two = publisher.newest[ACCOUNT].content.replace(
        "</account>", '<hole id="77" tsid="5"/></account>'
    )
    publisher.change(ACCOUNT, two, LATER)
    (sent,) = publisher.post(ACCOUNT, "<transaction/>", LATER)
    assert sent.key == FillerKey(77, 5)


def test_a_child_is_inserted_with_its_parent(publisher: Publisher) -> None:
    sent = publisher.insert(ROOT, "<account><customer>Jones</customer></account>", LATER)
    assert [filler.tsid for filler in sent] == [2, 1]
    inserted = "<account><customer>Jones</customer></account></creditAccounts>"
    assert after(publisher, *sent) == DOCUMENT.replace("</creditAccounts>", inserted)


def test_a_child_is_inserted_before_another(publisher: Publisher) -> None:
    sent = publisher.insert(ROOT, "<account/>", LATER, before=ACCOUNT)
    expected = DOCUMENT.replace("<creditAccounts>", "<creditAccounts><account></account>")
    assert after(publisher, *sent) == expected


def test_a_child_is_deleted_by_its_parent(publisher: Publisher) -> None:
    sent = publisher.delete(ACCOUNT, LIMIT, LATER)
    assert [filler.key for filler in sent] == [ACCOUNT]
    assert after(publisher, *sent) == DOCUMENT.replace("<creditLimit>1</creditLimit>", "")


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda it: it.change(FillerKey(9, 4), "<creditLimit/>", LATER), "unknown-filler"),
        (lambda it: it.change(EVENTS, "<transaction/>", LATER), "not-temporal"),
        (lambda it: it.change(LIMIT, "<limit/>", LATER), "breaks-structure"),
        (lambda it: it.change(LIMIT, "<creditLimit>", LATER), "malformed"),
        (lambda it: it.change(ACCOUNT, "<account><x/></account>", LATER), "breaks-structure"),
        (lambda it: it.post(ROOT, "<transaction/>", LATER), "breaks-structure"),
        (lambda it: it.post(ACCOUNT, "<creditLimit/>", LATER), "not-an-event"),
        (lambda it: it.insert(ROOT, "<customer/>", LATER), "breaks-structure"),
        (lambda it: it.insert(ROOT, "<account/>", LATER, before=LIMIT), "breaks-structure"),
        (lambda it: it.delete(ROOT, LIMIT, LATER), "no-hole"),
    ],
)
def test_what_cannot_be_done_is_told(publisher: Publisher, act: object, code: str) -> None:
    with pytest.raises(ItemError) as caught:
        act(publisher)  # type: ignore[operator]
    assert caught.value.code == code
