"""What is offered at the end of a text."""

from __future__ import annotations

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from millstream.shell.loop import completer
from millstream.shell.session import Session
from tests.shell.fake_backend import FakeBackend


def offered(text: str) -> list[str]:
    found = completer(Session(FakeBackend())).get_completions(Document(text), CompleteEvent())
    return [each.text for each in found]


FOR = 'for $r in stream("readings")/readings/reading '


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\str", ["streams", "stream"]),
        ("\\tags re", ["readings"]),
        ("\\results ", ["high"]),
        ('stream("c', ["credit"]),
        ('stream("readings")/', ["readings"]),
        ('stream("readings")/readings/reading/', ["@id", "minute", "place", "level"]),
        ('stream("readings")//na', ["name"]),
        ('stream("credit")//account/', ["customer"]),
        (f"{FOR}where $r/le", ["level"]),
        (f"{FOR}return $r/place/", ["name"]),
        (f"{FOR}let $p := $r/place return $p/", ["name"]),
        (f"{FOR}return $", ["r"]),
        ('stream("readings")/readings/reading[place/', ["name"]),
        (f"{FOR}wh", ["where"]),
        (f"{FOR}where $r/nowhere/", []),
        ("SELECT * FROM r", ["readings"]),
        ("SELECT * FROM readings WHERE TAG = 'r", ["rushing"]),
        ("SELECT * FROM readings WHERE plac", ["place.name"]),
        ("SELECT * FROM readings WHE", ["WHERE"]),
        ("\\explain SELECT * FROM re", ["readings"]),
    ],
)
def test_is_offered(text: str, expected: list[str]) -> None:
    assert offered(text) == expected


def test_functions_are_offered_with_their_parenthesis() -> None:
    assert "starts-with(" in offered(f"{FOR}where star")
