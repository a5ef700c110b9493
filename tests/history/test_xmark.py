"""The twenty XMark questions about the benchmark's own document, cut into fillers."""

from __future__ import annotations

import gzip
import os
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest

from millstream.generators.auction_structure import auction_structure
from millstream.history.evaluation import Evaluator
from millstream.history.filler_store import FillerStore
from millstream.history.fragmenter import fragment
from millstream.languages.xquery.translation import Strategy, translate
from tests.history.credit import time
from tests.history.test_laws import refuse
from tests.history.xmark import QUESTIONS

XMARK = Path(os.environ.get("MILLSTREAM_DATA", "../shared/data")) / "xmark"


@cache
def site() -> Evaluator:
    document = gzip.decompress((XMARK / "f0.05.xml.gz").read_bytes())
    fillers = fragment(
        BytesIO(document), auction_structure(), valid_time=time("2001-01-01"), reject=refuse
    )
    return Evaluator({"auction": FillerStore(auction_structure(), fillers)})


@pytest.mark.long
@pytest.mark.shared_data
@pytest.mark.skipif(not XMARK.exists(), reason="the data of the benchmark is not here")
@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("number", range(1, 21))
def test_answers_are_those_of_the_benchmark(number: int, strategy: Strategy) -> None:
    query = translate(QUESTIONS[number - 1], {"auction": auction_structure()}, strategy)
    answer = gzip.decompress((XMARK / "answers" / f"q{number:02}-f0.05.xml.gz").read_bytes())
    assert "\n".join(site().run(query.text)) == answer.decode("utf-8")
