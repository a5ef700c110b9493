"""Words in groups."""

from __future__ import annotations

import pytest

from millstream.errors import SchemaError
from millstream.model.tags import Thesaurus, emotions, read_thesaurus

TABLE_OF_EMOTIONS = """
happy sad jealous self-loathing angry elated content lonely depressed frustrated aggravated
exhausted grateful sleepy anxious sorry excited loved peaceful joyful tipsy affectionate cool
alright stressed lost confused outraged despaired hopeful sympathetic relaxed unimpressed
"""


def test_emotions_have_five_groups() -> None:
    assert set(emotions().groups) == {"happy", "sad", "angry", "anxious", "neutral"}


@pytest.mark.parametrize("word", TABLE_OF_EMOTIONS.split())
def test_every_emotion_has_a_group(word: str) -> None:
    assert emotions().group(word)


def test_words_of_a_group_are_equivalent() -> None:
    assert emotions().equivalent("Joyful", "excited")
    assert not emotions().equivalent("joyful", "sad")


def test_unknown_words_are_equivalent_to_themselves() -> None:
    assert emotions().equivalent("Accident", " accident ")
    assert not emotions().equivalent("Accident", "Disaster")


def test_thesaurus_is_read() -> None:
    text = "# a comment\nharm: Accident, Disaster # one more\n\nharm: crash\nfun: fireworks\n"
    thesaurus = read_thesaurus(text)
    assert thesaurus.equivalent("accident", "Crash")
    assert thesaurus.groups == {"harm": ("accident", "disaster", "crash"), "fun": ("fireworks",)}


def test_line_without_a_group_is_refused() -> None:
    with pytest.raises(SchemaError, match="line 2"):
        read_thesaurus("a: b\njust words\n")


def test_word_of_two_groups_is_refused() -> None:
    with pytest.raises(SchemaError, match="'b' stands in the groups"):
        Thesaurus.of({"a": ["b"], "c": ["B"]})
