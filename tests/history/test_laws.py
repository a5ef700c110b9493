"""What holds for every structure, document, change and order of arrival."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from io import BytesIO
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from millstream.history.difference import ChangeKind, difference, standing
from millstream.history.filler_store import FillerStore, canonical
from millstream.history.fragment_holes import remove_hole
from millstream.history.fragmenter import fragment
from millstream.history.temporal_view import materialize, snapshot
from millstream.history.updates import Publisher
from millstream.model.filler import Filler, FillerKey
from millstream.model.tag_structure import Tag, TagStructure, TagType
from tests.history.credit import time
from tests.history.strategies import MARK, elements, tag_structures, text_of, without_events

BEGIN = time("2003-01-01")
MOMENT = timedelta(microseconds=1)


class Author:
    """Changes a document and sends the fillers of each change."""

    def __init__(self, draw: st.DrawFn, structure: TagStructure) -> None:
        self.draw = draw
        self.structure = structure
        self.marks = count()
        self.publisher = Publisher(structure)
        self.document = draw(elements(structure.root, self.marks))
        self.fillers: list[Filler] = []
        self.saved: list[tuple[datetime, str]] = []
        self.send(self.publisher.publish(BytesIO(text_of(self.document).encode()), BEGIN), BEGIN)

    def send(self, fillers: tuple[Filler, ...], at: datetime) -> None:
        self.fillers += fillers
        self.saved.append((at, without_events(self.document, self.structure)))

    def act(self, at: datetime) -> None:
        """One change to a random element that can have it."""
        act = self.draw(st.sampled_from((self.change, self.insert, self.delete, self.post)))
        act(at)

    def change(self, at: datetime) -> None:
        element, tag = self.draw(st.sampled_from(list(self.changeable())))
        key = self.key(element, tag)
        content = etree.fromstring(self.publisher.newest[key].content)
        text = self.draw(st.text("xyz<", max_size=3))
        for each in (element, content):
            each.text = text
            each.set("y", text)
        self.send(self.publisher.change(key, text_of(content), at), at)

    def insert(self, at: datetime) -> None:
        places = [
            (place, tag, holder)
            for holder in self.changeable()
            for place, tag in self.places(*holder)
        ]
        if not places:
            return
        place, tag, holder = self.draw(st.sampled_from(places))
        inner = self.draw(elements(tag, self.marks, 1))
        before = [each for each in place if each.tag == tag.name]
        if before and self.draw(st.booleans()):
            next_one = self.draw(st.sampled_from(before))
            next_one.addprevious(inner)
            fillers = self.publisher.insert(
                self.key(*holder), text_of(inner), at, before=self.key(next_one, tag)
            )
        else:
            place.append(inner)
            fillers = self.publisher.insert(self.key(*holder), text_of(inner), at, tsid=tag.id)
        self.send(fillers, at)

    def delete(self, at: datetime) -> None:
        inner = [
            (child, tag, holder)
            for holder in self.changeable()
            for place, tag in self.places(*holder, every=True)
            for child in place
            if child.tag == tag.name
        ]
        if not inner:
            return
        child, tag, holder = self.draw(st.sampled_from(inner))
        keys = self.key(*holder), self.key(child, tag)
        remove_hole(child)
        self.send(self.publisher.delete(*keys, at), at)

    def post(self, at: datetime) -> None:
        holders = [
            (element, tag, child)
            for element, tag in self.changeable()
            for child in tag.children
            if child.type is TagType.EVENT
        ]
        if not holders:
            return
        element, tag, child = self.draw(st.sampled_from(holders))
        event = self.draw(elements(child, self.marks, 1))
        key = self.key(element, tag)
        self.send(self.publisher.post(key, text_of(event), at, tsid=child.id), at)

    def key(self, element: etree._Element, tag: Tag) -> FillerKey:
        if tag is self.structure.root:
            return self.publisher.root_key
        mark = element.get(MARK)
        return next(
            key
            for key, filler in self.publisher.newest.items()
            if etree.fromstring(filler.content).get(MARK) == mark
        )

    def changeable(self) -> Iterator[tuple[etree._Element, Tag]]:
        """The elements, outside of events, that have fillers of their own."""
        for element, tag in self.walk(self.document, self.structure.root):
            if tag.fragmented or tag is self.structure.root:
                yield element, tag

    def places(
        self, element: etree._Element, tag: Tag, *, every: bool = False
    ) -> Iterator[tuple[etree._Element, Tag]]:
        """Where in a filler temporal children may stand: the last such place, or every one."""
        for child in tag.children:
            if child.type is TagType.TEMPORAL:
                yield element, child
            elif child.type is TagType.SNAPSHOT:
                inner = [each for each in element if each.tag == child.name]
                for each in inner if every else inner[-1:]:
                    yield from self.places(each, child, every=every)

    def walk(self, element: etree._Element, tag: Tag) -> Iterator[tuple[etree._Element, Tag]]:
        yield element, tag
        for child in element:
            inner = tag.child(child.tag) if isinstance(child.tag, str) else None
            if inner is not None and inner.type is not TagType.EVENT:
                yield from self.walk(child, inner)


@st.composite
def authors(draw: st.DrawFn) -> Author:
    author = Author(draw, draw(tag_structures()))
    for number in range(draw(st.integers(0, 6))):
        author.act(BEGIN + timedelta(seconds=number + 1))
    return author


def stored(store: FillerStore) -> dict[FillerKey, list[tuple[datetime, str]]]:
    return {
        key: [(each.filler.valid_time, canonical(each.filler.content)) for each in versions]
        for key in store
        if (versions := store.versions(key))
    }


def refuse(rejected: object) -> None:
    raise AssertionError(rejected)


@settings(max_examples=50)
@given(tag_structures(), st.data())
def test_a_document_in_pieces_is_the_document(structure: TagStructure, data: st.DataObject) -> None:
    document = text_of(data.draw(elements(structure.root, count())))
    source = BytesIO(document.encode())
    fillers = fragment(source, structure, valid_time=BEGIN, reject=refuse)
    store = FillerStore(structure, fillers)
    assert canonical(snapshot(store, BEGIN)) == canonical(document)
    assert store.unplaced() == ()


@settings(max_examples=50)
@given(authors(), st.data())
def test_every_state_is_kept_whatever_the_order_of_arrival(
    author: Author, data: st.DataObject
) -> None:
    in_order = FillerStore(author.structure, author.fillers)
    shuffled = data.draw(st.permutations(author.fillers))
    repeated = data.draw(st.lists(st.sampled_from(author.fillers), max_size=3))
    store = FillerStore(author.structure, [*shuffled, *repeated])
    for at, document in author.saved:
        # A moment later: events have passed.
        assert canonical(snapshot(store, at + MOMENT)) == canonical(document)
    assert stored(store) == stored(in_order)
    assert materialize(store) == materialize(in_order)


@settings(max_examples=30)
@given(authors(), st.data())
def test_a_difference_leads_from_one_state_to_the_other(
    author: Author, data: st.DataObject
) -> None:
    store = FillerStore(author.structure, author.fillers)
    instants = [at + MOMENT for at, _ in author.saved]
    begin, end = data.draw(st.tuples(st.sampled_from(instants), st.sampled_from(instants)))
    state = {key: version.filler.content for key, version in standing(store, begin).items()}
    for change in difference(store, begin, end).changes:
        if change.kind is ChangeKind.DISAPPEARED:
            del state[change.key]
        elif change.kind is not ChangeKind.HAPPENED:
            assert change.after is not None
            state[change.key] = change.after.content
    assert state == {key: each.filler.content for key, each in standing(store, end).items()}


@settings(max_examples=30)
@given(authors())
def test_a_temporal_view_can_be_cut_again(author: Author) -> None:
    store = FillerStore(author.structure, author.fillers)
    if len(store.versions(store.root_key)) > 1:
        return
    view = materialize(store)
    again = FillerStore(
        author.structure,
        fragment(BytesIO(view.encode()), author.structure, valid_time=BEGIN, reject=refuse),
    )
    for at, document in author.saved:
        assert canonical(snapshot(again, at + MOMENT)) == canonical(document)
