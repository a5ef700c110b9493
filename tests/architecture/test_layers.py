"""The package keeps the rules of the house; nothing of it is imported to find out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.architecture import rules

PACKAGE = Path(__file__).parents[2] / "src" / "millstream"
Rule = Callable[[rules.Module], Iterator[str]]

RULES: tuple[Rule, ...] = (
    rules.upward_imports,
    rules.engine_imports,
    rules.relative_imports,
    rules.vague_name,
    rules.long_file,
    rules.long_functions,
    rules.missing_docstring,
)


def name_of(rule: Rule) -> str:
    return getattr(rule, "__name__", "rule")


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_package_keeps(rule: Rule) -> None:
    broken = [place for module in rules.modules(PACKAGE) for place in rule(module)]
    assert broken == []


def test_package_is_found() -> None:
    parts = {module.part for module in rules.modules(PACKAGE)}
    assert {"errors", "model", "algebra", "languages", "cli"} <= parts
