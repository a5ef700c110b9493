"""The made-up photons."""

from __future__ import annotations

import gzip
from collections import Counter
from itertools import islice, pairwise
from pathlib import Path

import pytest
from lxml import etree

from millstream.errors import MillstreamError
from millstream.generators.dirt import Dirt
from millstream.generators.photons import PHOTONS_DTD, SurveyOptions, dirty, generate, write
from millstream.generators.sky import BLOCK, LONGEST_DELAY
from millstream.model.dtd import read_dtd

COUNT = BLOCK + 1_000


def values(name: str, photons: list[str]) -> list[float]:
    return [float(photon.split(f"<{name}>")[1].split("<")[0]) for photon in photons]


def test_equal_seeds_give_equal_photons() -> None:
    assert list(generate(100, seed=7)) == list(generate(100, seed=7))


def test_other_seeds_give_other_photons() -> None:
    assert set(generate(100, seed=7)).isdisjoint(generate(100, seed=8))


@pytest.mark.parametrize("count", [0, 1, BLOCK, COUNT])
def test_fewer_photons_are_the_first_of_more(count: int) -> None:
    options: SurveyOptions = {"disorder": 0.1, "dirt": 0.1}
    assert list(generate(count, **options)) == list(islice(generate(COUNT + 5, **options), count))


def test_photons_are_valid_by_their_dtd() -> None:
    root = etree.fromstring(f"<photons>{''.join(generate(200))}</photons>")
    names = {element.tag for element in root.iter()}
    paths = {path.split("/")[-1] for path in read_dtd(PHOTONS_DTD).paths()}
    assert names == paths | {"photons"}


def test_detection_times_never_decrease() -> None:
    times = values("det_time", list(generate(COUNT)))
    assert all(one <= other for one, other in pairwise(times))


def test_about_three_photons_come_a_second() -> None:
    times = values("det_time", list(generate(COUNT)))
    assert COUNT / 3.1 < times[-1] < COUNT / 2.9


def test_start_and_rate_move_the_times() -> None:
    times = values("det_time", list(generate(1_000, start=5_000, rate=100.0)))
    assert times[0] == 5_000
    assert times[-1] < 5_100


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("ra", 0, 360), ("dec", -90, 90), ("en", 0.1, 2.4), ("phc", 1, 256), ("dx", 0, 511)],
)
def test_values_are_in_their_range(name: str, least: float, most: float) -> None:
    found = values(name, list(generate(COUNT)))
    assert least <= min(found) <= max(found) <= most


def in_region(photons: list[str], ra: tuple[float, float], dec: tuple[float, float]) -> list[int]:
    places = zip(values("ra", photons), values("dec", photons), strict=True)
    return [
        number
        for number, (east, north) in enumerate(places)
        if ra[0] <= east <= ra[1] and dec[0] <= north <= dec[1]
    ]


def test_the_hot_spots_of_vela_are_hot() -> None:
    photons = list(generate(COUNT))
    vela = in_region(photons, (120.0, 138.0), (-49.0, -40.0))
    rxj = in_region(photons, (130.5, 135.5), (-48.0, -45.0))
    assert (len(vela) > COUNT / 10, len(rxj) > COUNT / 20) == (True, True)


def test_without_hot_spots_the_sky_is_even() -> None:
    vela = in_region(list(generate(COUNT, hot_spots=False)), (120.0, 138.0), (-49.0, -40.0))
    assert len(vela) < COUNT / 100


def test_the_average_energy_of_vela_crosses_its_threshold() -> None:
    photons = list(generate(COUNT))
    energies, times = values("en", photons), values("det_time", photons)
    windows: dict[int, list[float]] = {}
    for number in in_region(photons, (120.0, 138.0), (-49.0, -40.0)):
        windows.setdefault(int(times[number]) // 60, []).append(energies[number])
    high = Counter(sum(window) / len(window) >= 1.3 for window in windows.values())
    assert min(high[True], high[False]) > len(windows) / 10


def test_disorder_displaces_a_share_of_the_photons() -> None:
    ordered = values("det_time", list(generate(COUNT)))
    disordered = values("det_time", list(generate(COUNT, disorder=0.2)))
    delays = [one - other for one, other in zip(ordered, disordered, strict=True) if one != other]
    assert 0.18 * COUNT < len(delays) < 0.22 * COUNT
    assert 0 < min(delays) <= max(delays) <= LONGEST_DELAY


def test_dirt_changes_the_dirty_photons_only() -> None:
    pairs = zip(generate(COUNT), generate(COUNT, dirt=0.05), strict=True)
    changed = [number for number, (clean, found) in enumerate(pairs) if clean != found]
    assert changed == [item.number for item in dirty(COUNT, dirt=0.05)]


def test_about_the_asked_share_is_dirty_in_every_way() -> None:
    kinds = Counter(item.kind for item in dirty(COUNT, dirt=0.05))
    assert set(kinds) == set(Dirt)
    assert 0.04 * COUNT < kinds.total() < 0.06 * COUNT


@pytest.mark.parametrize("kind", [Dirt.UNCLOSED_TAG, Dirt.BAD_ENTITY, Dirt.CONTROL_CHARACTER])
def test_some_dirt_breaks_the_xml(kind: Dirt) -> None:
    number = next(item.number for item in dirty(1_000, dirt=0.1) if item.kind is kind)
    photon = list(generate(number + 1, dirt=0.1))[number]
    with pytest.raises(etree.XMLSyntaxError):
        etree.fromstring(photon)


@pytest.mark.parametrize(
    "kind",
    [
        Dirt.MISSING_ELEMENT,
        Dirt.TEXT_FOR_NUMBER,
        Dirt.UNKNOWN_ELEMENT,
        Dirt.DUPLICATE_ELEMENT,
    ],
)
def test_other_dirt_is_still_xml(kind: Dirt) -> None:
    number = next(item.number for item in dirty(1_000, dirt=0.1) if item.kind is kind)
    photon = list(generate(number + 1, dirt=0.1))[number]
    assert etree.fromstring(photon).tag == "photon"


@pytest.mark.parametrize("options", [{"dirt": 1.5}, {"disorder": -0.1}, {"rate": 0.0}])
def test_impossible_surveys_are_refused(options: SurveyOptions) -> None:
    with pytest.raises(MillstreamError):
        generate(1, **options)


def test_a_file_holds_one_document(tmp_path: Path) -> None:
    (path,) = write(tmp_path / "photons.xml", 100)
    assert path.read_text().split("\n") == ["<photons>", *generate(100), "</photons>", ""]


@pytest.mark.parametrize(("count", "files"), [(100, 3), (2, 5), (COUNT, 2)])
def test_many_files_hold_the_stream_in_order(tmp_path: Path, count: int, files: int) -> None:
    paths = write(tmp_path / "photons", count, files=files)
    lines = [line for path in paths for line in path.read_text().splitlines()[1:-1]]
    assert (len(paths), lines) == (files, list(generate(count)))


def test_compressed_files_hold_the_same(tmp_path: Path) -> None:
    (plain,) = write(tmp_path / "photons.xml", 100)
    (packed,) = write(tmp_path / "photons.xml.gz", 100, gzip=True)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()


def test_compressed_files_do_not_tell_when_they_were_made(tmp_path: Path) -> None:
    (packed,) = write(tmp_path / "photons.xml.gz", 100, gzip=True)
    time_field = packed.read_bytes()[4:8]
    assert time_field == bytes(4)


def test_progress_counts_up_to_the_end(tmp_path: Path) -> None:
    seen: list[int] = []
    write(tmp_path / "photons", COUNT, files=2, progress=seen.append)
    assert seen == sorted(set(seen))
    assert seen[-1] == COUNT


def test_a_failed_write_leaves_no_file(tmp_path: Path) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "photons.xml", 100, progress=stop)
    assert list(tmp_path.iterdir()) == []
