"""The reference of the language is true."""

from __future__ import annotations

import re

import pytest

from millstream.algebra.functions import FUNCTIONS
from millstream.languages.xquery import compile_text, parse, unparse
from tests.docs.documents import ROOT, blocks
from tests.languages.streams import Streams

TEXT = (ROOT / "docs" / "LANGUAGES.md").read_text(encoding="utf-8")
EXAMPLES = [block.content for block in blocks(TEXT) if block.language == "xquery"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_can_be_subscribed_to(example: str) -> None:
    assert compile_text(example, Streams()).branches


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_survive_printing(example: str) -> None:
    assert parse(unparse(parse(example))) == parse(example)


def test_every_function_is_listed_with_its_arguments() -> None:
    listed = re.findall(
        r"^\| `([a-z-]+)` \| (\d[^|(]*?)(?: \(or none[^|]*)? \|", TEXT, re.MULTILINE
    )
    assert listed == [(each.name, each.arity) for each in FUNCTIONS.values()]


def test_functions_that_take_the_context_say_so() -> None:
    listed = re.findall(r"^\| `([a-z-]+)` \| [^|]*\(or none", TEXT, re.MULTILINE)
    assert listed == [each.name for each in FUNCTIONS.values() if each.takes_context]
