"""Bad input of every kind beside good: the good is answered, the bad is in quarantine."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

import millstream
from millstream.errors import MillstreamError, StateError
from millstream.generators.photons import PHOTONS_DTD
from millstream.mill import Mill, Stream
from millstream.runtime.session import SparkSession
from millstream.runtime.storage import LocalStorage

TYPES = {"en": "decimal", "det_time": "integer", "phc": "integer"}
ALL = '<out>{ for $p in stream("photons")/photons/photon where $p/phc >= 0 return $p/phc }</out>'
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE photons [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">'
    '<!ENTITY c SYSTEM "file:///etc/hostname">]>'
)


def photon(number: int, **changed: str) -> str:
    leaves = {"phc": str(number), "en": "1.5", "det_time": str(number), **changed}
    inner = "".join(f"<{name}>{text}</{name}>" for name, text in leaves.items())
    cel, det = "<cel><ra>1</ra><dec>2</dec></cel>", "<det><dx>3</dx><dy>4</dy></det>"
    return f"<photon><coord>{cel}{det}</coord>{inner}</photon>"


def document(*items: str, head: str = "") -> bytes:
    return f"{head}<photons>{''.join(items)}</photons>".encode()


FILES: dict[str, bytes] = {
    "01-good.xml": document(photon(1)),
    "02-text-for-number.xml": document(photon(2), photon(902, en="much"), photon(3)),
    "03-missing-element.xml": document(photon(4), "<photon><phc>903</phc></photon>"),
    "04-malformed.xml": document(photon(5), "<photon><en>1</photon>", photon(6)),
    "05-truncated.xml": document(photon(7))[:-10] + b"<photon><coord><cel>",
    "06-empty.xml": b"",
    "07-binary.xml": bytes(range(256)) * 8,
    "08-latin.xml": b'<?xml version="1.0" encoding="ISO-8859-1"?>' + document(photon(8)),
    "09-not-utf8.xml": document(photon(9, en="1.5\xff")).replace("\u00ff".encode(), b"\xff"),
    "10-bomb.xml": document(photon(10), photon(910, en="&b;"), photon(911, en="&c;"), head=BOMB),
    "11-packed.xml.gz": gzip.compress(document(photon(11))),
    "12-torn.xml.gz": gzip.compress(document(photon(12)) * 50)[:60],
    "13-unknown-element.xml": document("<photon><x/></photon>", photon(13)),
    "14-duplicate-element.xml": document(photon(914).replace("<en>", "<en>1</en><en>")),
    "15-huge-number.xml": document(photon(915, det_time="9" * 40), photon(15)),
    "16-gigantic.xml": document(photon(916, phc="9" * 200_000), photon(16)),
    "17-last.xml": document(photon(17)),
}
GOOD = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 15, 16, 17]


@pytest.fixture(scope="module")
def run(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Mill, Stream]]:
    folder = tmp_path_factory.mktemp("bad")
    (folder / "in").mkdir()
    for name, content in FILES.items():
        (folder / "in" / name).write_bytes(content)
    with millstream.open(folder / "space", spark=spark) as mill:
        stream = mill.create_stream(
            "photons", folder / "in", schema=PHOTONS_DTD, types=TYPES, finite=True
        )
        mill.subscribe(ALL, name="all")
        mill.run(until="drained")
        yield mill, stream


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_every_good_item_is_answered(run: tuple[Mill, Stream]) -> None:
    mill, _ = run
    found = [int(each[5:-6]) for each in mill.subscriptions["all"].results()]
    assert found == GOOD


@pytest.mark.spark
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("02-text-for-number.xml", "much"),
        ("03-missing-element.xml", "coord"),
        ("04-malformed.xml", ""),
        ("05-truncated.xml", ""),
        ("07-binary.xml", ""),
        ("09-not-utf8.xml", ""),
        ("10-bomb.xml", ""),
        ("12-torn.xml.gz", ""),
        ("13-unknown-element.xml", "x"),
        ("14-duplicate-element.xml", "en"),
        ("15-huge-number.xml", "det_time"),
        ("16-gigantic.xml", "phc"),
    ],
)
def test_every_bad_item_is_in_quarantine_with_file_and_reason(
    run: tuple[Mill, Stream], file: str, reason: str
) -> None:
    _, stream = run
    reasons = [each.reason for each in stream.quarantine() if each.file and file in each.file]
    assert reasons and all(reason in each for each in reasons)


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_external_entities_are_never_read(run: tuple[Mill, Stream]) -> None:
    _, stream = run
    secret = Path("/etc/hostname").read_text().strip() if Path("/etc/hostname").exists() else "-"
    assert not any(secret.encode() in each.raw for each in stream.quarantine())


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_full_disk_stops_the_stream_and_nothing_is_lost(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in.xml").write_bytes(document(photon(1), photon(2)))
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream(
            "photons", tmp_path / "in.xml", schema=PHOTONS_DTD, types=TYPES, finite=True
        )
        mill.subscribe(ALL, name="all")
        written = LocalStorage.write

        def full(storage: LocalStorage, name: str, data: bytes) -> None:
            if "journal" in name:
                raise StateError("cannot write: No space left on device", code="storage")
            written(storage, name, data)

        with monkeypatch.context() as patched:
            patched.setattr(LocalStorage, "write", full)
            with pytest.raises(MillstreamError, match="No space left on device"):
                mill.run(until="drained")
        mill.run(until="drained")
        assert list(mill.subscriptions["all"].results()) == ["<phc>1</phc>", "<phc>2</phc>"]


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_source_that_does_not_exist_yet(spark: SparkSession, tmp_path: Path) -> None:
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream("photons", tmp_path / "in/*.xml", schema=PHOTONS_DTD, types=TYPES)
        mill.subscribe(ALL, name="all")
        assert mill.run(until="drained").items == 0
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "a.xml").write_bytes(document(photon(1)))
        assert mill.run(until="drained").items == 1
