"""Items by their tags, and tags by the items that they share."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.generators.tagged.patients import PATIENTS
from millstream.runtime.logged_items import items_at, logged_items
from millstream.runtime.tags.tagged_items import TaggedItem, TaggedItems, TagOn
from tests.runtime.tags.stepping import TaggedSteps
from tests.runtime.tags.test_tag_book import moods


@pytest.fixture
def steps(tmp_path: Path) -> TaggedSteps:
    found = TaggedSteps(tmp_path, moods(), PATIENTS)
    for parts in found.chunks(2):
        found.run(parts)
    return found


@pytest.fixture
def tagged(steps: TaggedSteps) -> TaggedItems:
    return TaggedItems(steps.storage, steps.record, steps.journal)


def said(found: list[TaggedItem]) -> list[list[str]]:
    return [[tag.content for tag in each.tags] for each in found]


def test_newest_items_have_all_their_tags(tagged: TaggedItems) -> None:
    found = tagged.newest(100)
    assert said(found) == [["happy"], ["happy"], ["happy"], ["happy", "sad"], ["sorry"]]
    assert found[3].tags[1] == TagOn("ann", "sad", "", None)
    assert found == sorted(found, key=lambda each: each.position)


def test_items_are_chosen_by_a_content(tagged: TaggedItems) -> None:
    assert said(tagged.newest(100, "sad")) == [["happy", "sad"]]
    assert said(tagged.newest(2, "happy")) == [["happy"], ["happy", "sad"]]
    assert tagged.newest(100, "angry") == []


def test_items_behind_a_position(tagged: TaggedItems) -> None:
    third = tagged.newest(100)[2].position
    assert said(tagged.newest(100, after=third)) == [["happy", "sad"], ["sorry"]]


def test_items_come_with_their_texts(steps: TaggedSteps, tagged: TaggedItems) -> None:
    log = steps.journal.state.tables["log"]
    texts = dict(logged_items(steps.storage, steps.record, log))
    assert {each.position: each.text for each in tagged.newest(100)} == texts


def test_related_contents_share_items(tagged: TaggedItems) -> None:
    assert tagged.related("sad", 10) == [("happy", 1)]
    assert tagged.related("happy", 10) == [("sad", 1)]
    assert tagged.related("sorry", 10) == []


def test_items_at_positions_are_found_in_every_file(steps: TaggedSteps) -> None:
    log = steps.journal.state.tables["log"]
    every = list(logged_items(steps.storage, steps.record, log))
    wanted = [every[4].position, every[0].position, every[2].position, 10**9]
    found = items_at(steps.storage, steps.record, log, wanted)
    assert list(found) == [every[0], every[2], every[4]]
