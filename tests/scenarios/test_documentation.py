"""The page on scenario files shows files that can be read, and names every key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from millstream.languages.xquery import compile_text
from millstream.scenarios import STRATEGIES, Scenario, read_scenario, scenario, shipped
from millstream.scenarios.xml_stream import PARAMETERS
from tests.docs.documents import ROOT, blocks
from tests.scenarios.catalog import ScenarioCatalog

PAGE = (ROOT / "docs" / "SCENARIOS.md").read_text(encoding="utf-8")
SOURCES = ROOT / "src" / "millstream" / "scenarios"


def shown(language: str) -> list[str]:
    return [each.content for each in blocks(PAGE) if each.language == language]


def read(folder: Path, text: str) -> Scenario:
    path = folder / "shown"
    path.write_text(text, encoding="utf-8")
    return read_scenario(path)


def test_shown_scenario_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, shown("toml")[0])
    catalog = ScenarioCatalog(found)
    assert all(compile_text(each.text, catalog) for each in found.queries)
    assert [each.name for each in found.queries] == ["crab", *(f"Q{n}" for n in range(2, 12))]


def test_shown_pool_is_drawn(tmp_path: Path) -> None:
    whole = shown("toml")[0].split("[[pool]]")[0] + shown("toml")[1]
    found = read(tmp_path, whole)
    catalog = ScenarioCatalog(found)
    assert len(found.queries) == 21
    assert all(compile_text(each.text, catalog) for each in found.queries)


def test_shown_xml_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, shown("xml")[0])
    assert [(each.name, each.peer) for each in found.queries] == [("hard", "SP1")]
    assert compile_text(found.queries[0].text, ScenarioCatalog(found))


def test_shown_python_runs() -> None:
    namespace: dict[str, object] = {}
    exec(shown("python")[0], namespace)
    assert namespace["grid"] == scenario("grid")


@pytest.mark.parametrize("name", shipped())
def test_page_names_what_is_shipped(name: str) -> None:
    assert f"| `{name}` |" in PAGE


def keys() -> set[str]:
    """Every key that a table of TOML may have, as the readers list them."""
    source = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("toml_*.py"))
    listed = re.findall(r'\.only\(((?:\s*"\w+",?)+)\s*\)', source)
    return {key for each in listed for key in re.findall(r'"(\w+)"', each)}


def test_keys_are_found() -> None:
    assert {"topology", "between", "thin_peer", "gamma", "per_second", "prefix"} <= keys()


def test_page_names_every_key() -> None:
    tables = {"network", "settings", "stream", "query", "pool", "template", "values"}
    tables |= {"peer", "link", "thin_peer"}
    missing = {key for key in keys() - tables if f"`{key}`" not in PAGE}
    missing |= {key for key in tables if not re.search(rf"\[(\w+\.)?{key}\]", PAGE)}
    assert missing == set()


def test_page_names_strategies_and_parameters() -> None:
    words = (*STRATEGIES, *(each for names in PARAMETERS.values() for each in names))
    assert [each for each in words if each not in PAGE] == []
