"""The reference of queries about histories is true."""

from __future__ import annotations

import re
from functools import cache

import pytest

from millstream.generators.auction_history import moments
from millstream.generators.auction_market import Market
from millstream.generators.auction_structure import auction_structure
from millstream.generators.credit import Bank, credit_structure, fillers
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery import parse, unparse
from millstream.languages.xquery.operations import ALLEN
from millstream.languages.xquery.translation.calls import HISTORY_FUNCTIONS, LIFESPAN_ENDS, TYPES
from tests.docs.documents import ROOT, blocks
from tests.history.asking import Asked

TEXT = (ROOT / "docs" / "LANGUAGES.md").read_text(encoding="utf-8")
SECTION = TEXT.split("## Queries about histories")[1].split("\n## ")[0]
EXAMPLES = [block.content for block in blocks(SECTION) if block.language == "xcql"]


@cache
def histories() -> Asked:
    moment = next(moments(Market(0.001, seed=3), 0))
    return Asked(
        {
            "credit": FillerStore(credit_structure(), fillers(Bank(3, 60, seed=2))),
            "auction": FillerStore(auction_structure(), moment.fillers),
        }
    )


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_have_answers(example: str) -> None:
    assert isinstance(histories()(example), list)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_survive_printing(example: str) -> None:
    assert parse(unparse(parse(example))) == parse(example)


def names_after(start: str) -> list[str]:
    paragraph = SECTION.split(start)[1].split("\n\n")[0]
    return [name.removesuffix("()") for name in re.findall(r"`([a-z][\w:()-]*)`", paragraph)]


def test_all_words_between_intervals_are_listed() -> None:
    assert names_after("**Words between intervals**") == [*ALLEN, "now"]


def test_all_functions_are_listed() -> None:
    beside = [name for name in HISTORY_FUNCTIONS if name not in LIFESPAN_ENDS]
    assert sorted(names_after("Its functions are")) == sorted([*beside, *TYPES])
