"""Files of fillers: written whole, read in order, bad ones set aside."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from millstream.errors import StateError
from millstream.history.filler_files import filler_files, write_fillers
from millstream.history.history import read_history
from millstream.history.temporal_view import materialize
from millstream.model.filler import Filler, filler_text
from tests.history.credit import ALL, STRUCTURE, store

TEXTS = [filler_text(filler) for filler in ALL]


def test_written_fillers_are_read_again(tmp_path: Path) -> None:
    paths = write_fillers(tmp_path, ALL, per_file=4)
    assert [path.name for path in paths] == ["fillers-00001.xml", "fillers-00002.xml"]
    history = read_history(tmp_path, STRUCTURE)
    assert materialize(history.store) == materialize(store(*ALL))


def test_a_failure_leaves_no_files(tmp_path: Path) -> None:
    def failing() -> Iterator[Filler]:
        yield from ALL
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_fillers(tmp_path, failing(), per_file=2)
    assert list(tmp_path.iterdir()) == []


def test_files_of_fillers_come_before_other_files(tmp_path: Path) -> None:
    for name in ("b.xml", "a.xml.gz", "tag-structure.xml", "notes.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in filler_files(tmp_path)] == ["a.xml.gz", "b.xml"]
    (tmp_path / "fillers-00001.xml").touch()
    assert [path.name for path in filler_files(tmp_path)] == ["fillers-00001.xml"]


def test_no_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="no XML files"):
        filler_files(tmp_path)
    with pytest.raises(StateError, match="no file or folder"):
        filler_files(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "content",
    [
        "".join(TEXTS).encode(),
        "\n".join(f"<?xml version='1.0'?>\n{text}" for text in TEXTS).encode(),
        b"\xef\xbb\xbf<fragments>" + "\r\n".join(TEXTS).encode() + b"</fragments>",
        ("<?xml version='1.0' encoding='utf-16'?>" + "".join(TEXTS)).encode("utf-16"),
        (
            "<?xml version='1.0' encoding='latin-1'?>"
            + "".join(TEXTS).replace("Smith", "Sm\u00efth")
        ).encode("latin-1"),
    ],
    ids=["bare", "documents", "wrapped", "utf-16", "latin-1"],
)
def test_one_file_may_be_written_in_many_ways(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "stream.xml").write_bytes(content)
    history = read_history(tmp_path / "stream.xml", STRUCTURE)
    view = materialize(history.store).replace("\u00ef", "i")
    assert (view, len(history.quarantine)) == (materialize(store(*ALL)), 0)


def test_compressed_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "s.xml.gz").write_bytes(gzip.compress("".join(TEXTS).encode()))
    assert len(read_history(tmp_path, STRUCTURE).store) == len(ALL)


BAD = [
    ("unknown-tsid", TEXTS[2].replace('tsid="4"', 'tsid="44"')),
    ("cyclic-hole", TEXTS[5].replace("charged", '<hole id="3" tsid="5"/>')),
    ("bad-valid-time", TEXTS[2].replace("2003-01-01T00:00:00", "2003-11-1T10:12:56")),
    ("missing-valid-time", TEXTS[2].replace(' validTime="2003-01-01T00:00:00"', "")),
    ("breaks-structure", TEXTS[2].replace("creditLimit", "creditlimit")),
    ("no-hole", TEXTS[4].replace('id="3"', 'id="33"')),
    ("too-deep", TEXTS[1].replace("Smith", "<account/>")),
    ("too-large", TEXTS[2].replace("2000", "2" * 2_000)),
    ("malformed", TEXTS[2].replace("</creditLimit>", "")),
    ("malformed", TEXTS[2].replace("2000", "\udcff")),
    ("bad-id", TEXTS[2].replace('id="2"', 'id="two"')),
    ("stray-text", "<creditLimit>1</creditLimit>"),
]


@pytest.mark.parametrize(("code", "text"), BAD)
def test_what_is_bad_is_set_aside_and_the_rest_goes_on(
    tmp_path: Path, code: str, text: str
) -> None:
    before, after = "".join(TEXTS[:3]), "".join(TEXTS[3:])
    content = f"{before}\n{text}\n{after}".encode("utf-8", "surrogateescape")
    (tmp_path / "stream.xml").write_bytes(content)
    history = read_history(tmp_path, STRUCTURE, max_filler=1_000)
    assert [entry.code for entry in history.quarantine] == [code]
    assert materialize(history.store) == materialize(store(*ALL))


def test_an_entry_tells_its_place(tmp_path: Path) -> None:
    (tmp_path / "stream.xml").write_text(f"{TEXTS[0]}\n\n{BAD[0][1]}")
    (entry,) = read_history(tmp_path, STRUCTURE).quarantine
    assert (entry.file, entry.line, entry.raw) == (str(tmp_path / "stream.xml"), 3, BAD[0][1])


def test_a_file_that_breaks_off_keeps_what_was_read(tmp_path: Path) -> None:
    packed = gzip.compress("".join(TEXTS).encode())
    (tmp_path / "a.xml.gz").write_bytes(packed[:-20])
    (tmp_path / "b.xml").write_text("<?xml version='1.0' encoding='klingon'?><filler/>")
    (tmp_path / "c.xml").write_text("".join(TEXTS))
    history = read_history(tmp_path, STRUCTURE)
    assert len(history.store) == len(ALL)
    assert [entry.code for entry in history.quarantine] == ["malformed", "malformed"]


def test_holes_that_wait_are_told(tmp_path: Path) -> None:
    (tmp_path / "stream.xml").write_text("".join(TEXTS[:2]))
    history = read_history(tmp_path, STRUCTURE)
    assert (history.facts()["unfilled_holes"], history.facts()["quarantined"]) == (1, 0)
