"""What the package imports is declared, and what is declared is imported and has its reason."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

from tests.architecture import rules

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "millstream"

OF_SPARK = frozenset({"pandas", "py4j"})
"""Asked for or brought by PySpark, not by us."""

FOR_TESTS_ONLY = frozenset({"hypothesis", "pytest"})
"""Imported by the testing folder, which only tests use."""

DISTRIBUTIONS = {
    "re2": "google-re2",
    "prometheus_client": "prometheus-client",
    "prompt_toolkit": "prompt-toolkit",
}
"""What brings a module, where it has another name."""


def imported() -> set[str]:
    names = {
        name.split(".")[0]
        for module in rules.modules(PACKAGE)
        for _, name in rules.imported_names(module.tree)
        if not (module.part == "testing" and name.split(".")[0] in FOR_TESTS_ONLY)
    }
    others = names - set(sys.stdlib_module_names) - {"millstream"}
    return {DISTRIBUTIONS.get(name, name) for name in others}


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {re.split(r"[<>=!~\[ ]", each)[0] for each in project["dependencies"]}


def test_imports_are_declared() -> None:
    assert imported() - OF_SPARK == declared() - OF_SPARK


def test_every_dependency_has_its_reason() -> None:
    architecture = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w, -]+?)(?: \(tests\))? \|", architecture, re.MULTILINE)
    named = {name.strip() for row in rows for name in row.split(",")}
    assert declared() <= named
