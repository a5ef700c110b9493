"""What a mill tells of histories beside everything else that it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.errors import QueryError, UnsupportedError
from tests.history.credit import ALL, STRUCTURE
from tests.runtime.history.without_spark import Feeds, current, opened, standing

LIMITS = 'for $l in stream("credit")//creditLimit?[now] return <l>{ $l/text() }</l>'


def test_histories_are_no_part_of_plans(tmp_path: Path) -> None:
    with opened(tmp_path / "space", {"credit": STRUCTURE}, {"limits": LIMITS}) as mill:
        Feeds(mill).push(("credit", list(ALL)))
        assert mill.savings() is not None
        with pytest.raises(UnsupportedError, match="no plan"):
            mill.costs("limits")
        assert "SaxonC" in str(mill.explain(LIMITS))
        assert mill.streams["credit"].paths[1] == "creditAccounts/account"


def test_a_late_subscriber_is_told_what_holds(tmp_path: Path) -> None:
    with opened(tmp_path / "space", {"credit": STRUCTURE}, {"first": LIMITS}) as mill:
        feeds = Feeds(mill)
        feeds.push(("credit", list(ALL)))
        mill.subscribe(LIMITS, name="second")
        mill.runner("credit").shared_batch.answer_new()
        assert current(mill, "second") == current(mill, "first")


def test_a_cancelled_subscription_gets_nothing_more(tmp_path: Path) -> None:
    with opened(tmp_path / "space", {"credit": STRUCTURE}, {"limits": LIMITS}) as mill:
        feeds = Feeds(mill)
        feeds.push(("credit", list(ALL[:3])))
        mill.cancel("limits")
        feeds.push(("credit", list(ALL[3:])))
        assert standing(mill, "limits").cancelled
        assert list(standing(mill, "limits").results()) == ["<l>2000</l>"]


def test_sinks_get_every_version(tmp_path: Path) -> None:
    lines = tmp_path / "limits.jsonl"
    with opened(tmp_path / "space", {"credit": STRUCTURE}, {}) as mill:
        mill.subscribe(LIMITS, name="limits", sinks=[{"format": "xml", "path": str(lines)}])
        feeds = Feeds(mill)
        for batch in (ALL[:3], ALL[3:]):
            feeds.push(("credit", list(batch)))
    assert lines.read_text().split() == ["<l>2000</l>", "<l>5000</l>"]


def test_names_are_taken_once(tmp_path: Path) -> None:
    with opened(tmp_path / "space", {"credit": STRUCTURE}, {"limits": LIMITS}) as mill:
        with pytest.raises(QueryError, match="already"):
            mill.subscribe(LIMITS, name="limits")
        with pytest.raises(QueryError, match="windows"):
            mill.subscribe(LIMITS, name="other", end="cut")
