"""One look at a source."""

from __future__ import annotations

from pathlib import Path

import pytest

from millstream.errors import UnsupportedError
from millstream.runtime.intake.files import RemoteFiles
from millstream.runtime.intake.listing import Look, check_format, format_of, look, natural_key


def names(found: Look) -> list[str]:
    return [Path(file.path).name for file in found.files]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name in ("b10.xml", "b9.xml", "a.csv.gz", "x.xml.tmp", ".y.xml", "_z.xml", "s.dtd", "w"):
        (tmp_path / name).write_text(name)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "c.xml").write_text("c")
    return tmp_path


def test_directory_gives_data_files_in_natural_order(source: Path) -> None:
    assert names(look(str(source), "auto")) == ["a.csv.gz", "b9.xml", "b10.xml"]


def test_format_takes_files_whose_names_tell_nothing(source: Path) -> None:
    assert names(look(str(source), "xml")) == ["b9.xml", "b10.xml", "w"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.xml", ["b9.xml", "b10.xml"]),
        ("b?.xml", ["b9.xml"]),
        ("b[0-9][!9].xml", ["b10.xml"]),
        ("**/*.xml", ["b9.xml", "b10.xml", "c.xml"]),
        ("*/*.xml", ["c.xml"]),
        ("none*/x", []),
    ],
)
def test_glob(source: Path, pattern: str, expected: list[str]) -> None:
    assert names(look(f"{source}/{pattern}", "auto")) == expected


def test_named_file_is_data_whatever_its_name(source: Path) -> None:
    assert names(look(str(source / "s.dtd"), "auto")) == ["s.dtd"]


def test_nothing_is_no_error(tmp_path: Path) -> None:
    assert look(str(tmp_path), "auto").files == ()
    assert look(str(tmp_path / "later.xml"), "auto").files == ()
    assert look(str(tmp_path / "later" / "*.xml"), "auto").files == ()


def test_only_what_would_have_been_seen_is_gone(tmp_path: Path) -> None:
    directory, file = str(tmp_path), f"{tmp_path}/a.xml"
    assert look(directory, "auto").is_gone(file)
    assert look(f"{directory}/*.xml", "auto").is_gone(file)
    assert look(file, "auto").is_gone(file)
    assert not look(f"{directory}/none", "auto").is_gone(f"{directory}/none/a.xml")
    assert not look(f"{directory}/none/a.xml", "auto").is_gone(f"{directory}/none/a.xml")


@pytest.mark.parametrize("place", ["", "b9.xml", "*.xml"])
def test_marker_ends_the_source(source: Path, place: str) -> None:
    assert not look(f"{source}/{place}", "auto").ended
    (source / "ended").touch()
    assert look(f"{source}/{place}", "auto").ended
    assert "ended" not in names(look(str(source), "xml"))


def test_remote_files_are_found_by_uri(source: Path) -> None:
    uri = source.as_uri()
    found = sorted(RemoteFiles().scan(uri, recursive=False))
    assert (f"{uri}/b9.xml", 6) in found
    assert RemoteFiles().read(f"{uri}/b9.xml", 1, 99) == b"9.xml"
    assert RemoteFiles().find(f"{uri}/none") is None
    assert RemoteFiles().is_directory(uri)
    assert list(RemoteFiles().scan(f"{uri}/none", recursive=True)) == []


def test_suffix_tells_the_format() -> None:
    assert [format_of(each) for each in ("a.XML", "a.ndjson.gz", "a.csv", "a.txt")] == [
        "xml",
        "json",
        "csv",
        None,
    ]


def test_unknown_format_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="no reader for format 'yaml'"):
        check_format("yaml")


def test_natural_order() -> None:
    mixed = ["a10b", "a2", "10", "a", "a10", "2", "a1"]
    assert sorted(mixed, key=natural_key) == ["2", "10", "a", "a1", "a2", "a10", "a10b"]
