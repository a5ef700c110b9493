"""A document names no file that does not exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.documents import README, ROOT, documents, exists, is_project_path, named_paths


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_named_paths_exist(document: Path) -> None:
    missing = {
        path
        for path in named_paths(document.read_text(encoding="utf-8"))
        if not exists(path, document)
    }
    assert missing == set()


def test_readme_names_paths() -> None:
    assert list(named_paths(README.read_text(encoding="utf-8")))


@pytest.mark.parametrize("code", ["src/millstream/errors.py", "docs/", "model/", "Any.md"])
def test_project_path_is_told(code: str) -> None:
    assert is_project_path(code)


@pytest.mark.parametrize("code", ["photon/en", "$p/coord/cel/ra", "or", "|count 4|", "1/2"])
def test_path_in_an_item_is_none_of_ours(code: str) -> None:
    assert not is_project_path(code)


def test_missing_path_is_found() -> None:
    text = "see `src/millstream/nowhere.py` and [this](docs/NOWHERE.md)"
    missing = [path for path in named_paths(text) if not exists(path, ROOT / "README.md")]
    assert missing == ["docs/NOWHERE.md", "src/millstream/nowhere.py"]
