"""The tags on each item, as steps have resolved them."""

from __future__ import annotations

from pathlib import Path

from millstream.generators.tagged.patients import PATIENTS
from millstream.runtime.logged_items import logged_items
from millstream.runtime.tags.tags_on_items import tags_on_items
from tests.runtime.tags.stepping import TaggedSteps
from tests.runtime.tags.test_tag_book import moods


def test_items_are_told_with_their_tags(tmp_path: Path) -> None:
    steps = TaggedSteps(tmp_path, moods(), PATIENTS)
    for parts in steps.chunks(2):
        steps.run(parts)
    held = steps.journal.state.tables
    items = list(logged_items(steps.storage, steps.record, held["log"]))
    found = tags_on_items(steps.storage, held, [each.position for each in items])
    told = [[(tag.tagger, tag.content) for tag in found.get(each.position, [])] for each in items]
    assert told == [
        [("ann", "happy")],
        [("bob", "happy")],
        [("bob", "happy")],
        [("bob", "happy"), ("ann", "sad")],
        [("ann", "sorry")],
    ]


def test_stream_without_tags_has_none_on_items(tmp_path: Path) -> None:
    steps = TaggedSteps(tmp_path, moods()[1:2], PATIENTS)
    for parts in steps.chunks(2):
        steps.run(parts)
    assert tags_on_items(steps.storage, steps.journal.state.tables, [0, 1, 2]) == {}
