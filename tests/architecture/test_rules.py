"""Each rule of the house finds what breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture import rules


def module(path: str, source: str) -> rules.Module:
    return rules.Module(Path(path), source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("model/schema.py", "from millstream.algebra.operators import Scan"),
        ("languages/xquery/lowering.py", "import millstream.compiler.plan"),
        ("compiler/plan.py", "from millstream.languages.xquery import parser"),
        ("sharing/matching.py", "from millstream import compiler"),
        ("runtime/step.py", "def run():\n    from millstream.mill import Mill"),
        ("generators/photons.py", "from millstream.algebra import operators"),
        ("scenarios/reading.py", "from millstream.languages.xquery import parser"),
        ("sharing/network/paths.py", "from millstream.scenarios import scenario"),
        ("mill.py", "import millstream"),
        ("service/app.py", "from millstream.cli import main"),
        ("errors.py", "from millstream.model.schema import Schema"),
        ("surprise/new.py", ""),
    ],
)
def test_upward_import_is_found(path: str, source: str) -> None:
    assert len(list(rules.upward_imports(module(path, source)))) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("algebra/operators.py", "from millstream.model.schema import Schema"),
        ("runtime/step.py", "from millstream.compiler.plan import Plan"),
        ("cli/query.py", "import millstream"),
        ("cli/demo.py", "from millstream.generators.photons import photons"),
        ("cli/demo.py", "from millstream.scenarios import scenario"),
        ("scenarios/toml_network.py", "from millstream.sharing.network import topology"),
        ("mill.py", "from millstream.runtime.step import Step"),
        ("__init__.py", "from millstream.mill import open"),
        ("model/schema.py", "import json"),
    ],
)
def test_downward_import_is_fine(path: str, source: str) -> None:
    assert list(rules.upward_imports(module(path, source))) == []


def test_spark_outside_the_engine_is_found() -> None:
    source = "from pyspark.sql import SparkSession"
    assert len(list(rules.engine_imports(module("cli/query.py", source)))) == 1
    assert len(list(rules.engine_imports(module("mill.py", source)))) == 1
    assert list(rules.engine_imports(module("runtime/session.py", source))) == []


def test_relative_import_is_found() -> None:
    assert list(rules.relative_imports(module("cli/query.py", "from . import main")))


def test_vague_name_is_found() -> None:
    assert list(rules.vague_name(module("model/utils.py", "")))


def test_long_file_is_found() -> None:
    assert list(rules.long_file(module("model/schema.py", "x = 1\n" * 451)))
    assert list(rules.long_file(module("model/schema.py", "x = 1\n" * 450))) == []


def test_long_function_is_found() -> None:
    source = "def long():\n" + "    x = 1\n" * 60
    assert list(rules.long_functions(module("model/schema.py", source)))
    assert list(rules.long_functions(module("model/schema.py", source[:-10]))) == []


def test_missing_docstring_is_found() -> None:
    assert list(rules.missing_docstring(module("model/schema.py", "x = 1")))
    assert list(rules.missing_docstring(module("model/__init__.py", ""))) == []
