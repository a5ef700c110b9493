from __future__ import annotations

from pathlib import Path

import pytest

from millstream.errors import StateError
from millstream.runtime.space import Space


def test_space_opened_twice_is_refused(tmp_path: Path) -> None:
    space = Space(tmp_path / "space")
    with pytest.raises(StateError, match="is open already, by process"):
        Space(tmp_path / "space")
    space.close()


def test_closed_space_opens_again(tmp_path: Path) -> None:
    Space(tmp_path / "space").close()
    again = Space(tmp_path / "space")
    assert again.storage.read("millstream.json") == b'{"format": 4}'
    again.close()


def test_space_of_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "millstream.json").write_text('{"format": 99}')
    with pytest.raises(StateError, match="has format 99, this Millstream reads 4"):
        Space(tmp_path)


def test_folder_with_other_files_is_no_space(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("…")
    with pytest.raises(StateError, match="is not a space"):
        Space(tmp_path)


def test_temporary_space_is_removed() -> None:
    space = Space(None)
    root = Path(space.storage.root)
    space.close()
    assert not root.exists()
