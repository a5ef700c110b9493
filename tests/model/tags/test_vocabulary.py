"""What contents mean to those who open a space."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.errors import QueryError, SchemaError
from millstream.languages.tagql import parse, syntax, unparse
from millstream.model.tags import TagType, tag_vocabulary
from millstream.model.tags.thesaurus import find_thesaurus
from millstream.model.tags.vocabulary import EMOTIONS, USUAL
from millstream.model.user_functions import forget, function


def test_a_thesaurus_is_read_from_a_file_at_once(tmp_path: Path) -> None:
    file = tmp_path / "colours.txt"
    file.write_text("warm: red, orange\ncold: blue\n")
    words = tag_vocabulary(file)
    file.unlink()
    assert find_thesaurus(words.thesaurus).equivalent("Red", "orange")
    assert words.own_thesaurus == words.thesaurus


def test_without_one_the_shipped_one_counts() -> None:
    assert tag_vocabulary().thesaurus == EMOTIONS
    assert USUAL.own_thesaurus is None


@pytest.mark.parametrize("text", ["no group here", "a: x\nb: x"])
def test_bad_thesauri_are_explained(text: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)
    with pytest.raises(SchemaError):
        tag_vocabulary(file)


def test_missing_thesauri_are_explained() -> None:
    with pytest.raises(SchemaError, match="nowhere"):
        tag_vocabulary("nowhere/words.txt")
    with pytest.raises(SchemaError, match="no thesaurus 'nothing'"):
        tag_vocabulary("nothing")


def test_functions_go_by_names_in_any_case() -> None:
    words = tag_vocabulary(functions={"near": lambda one, other: 1.0})
    text = "SELECT TAGS FROM S WHERE Near(TAG, 'x') > 0.5"
    parsed = parse(text, words.functions.keys())
    assert isinstance(parsed, syntax.SelectTags)
    assert parse(unparse(parsed), words.functions.keys()) == parsed
    with pytest.raises(QueryError, match="no function 'Near'"):
        parse(text)


def test_groups_may_be_made_by_a_function() -> None:
    text = "SELECT TAG, COUNT(*)\nFROM S\nGROUP BY TAGS USING NEAR 0.5 INCLUDING UNTAGGED"
    parsed = parse(text, {"NEAR"})
    assert isinstance(parsed, syntax.Select)
    assert parsed.grouping == syntax.GroupByTags(syntax.Likeness.FUNCTION, "0.5", True, "NEAR")
    assert parse(unparse(parsed), {"NEAR"}) == parsed


def test_names_of_functions_are_words() -> None:
    with pytest.raises(SchemaError, match="no name"):
        tag_vocabulary(functions={"a b": lambda one, other: 1.0})


def test_a_classifier_can_be_replaced() -> None:
    words = tag_vocabulary(classifier=lambda content: TagType.ACRONYM)
    assert words.classify("anything") is TagType.ACRONYM


def test_functions_for_all_queries_compare_contents_as_well() -> None:
    def close(one: str, other: str) -> float:
        return 1.0

    def longer(one: str, by: int) -> bool:
        return len(one) > by

    function(name="close")(close)
    function(name="longer")(longer)
    try:
        assert USUAL.all_functions["CLOSE"] is close
        assert "LONGER" not in USUAL.all_functions
    finally:
        forget("close")
        forget("longer")
