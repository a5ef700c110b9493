"""A made-up stream of photons as an X-ray telescope detects them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import TypedDict, Unpack

from millstream.errors import MillstreamError
from millstream.generators.complete_file import complete_file
from millstream.generators.dirt import DirtyItem, dirt_of_block, dirty_items, spoil
from millstream.generators.sky import PhotonBlock, Survey, observe

PHOTONS_DTD = """\
<!ELEMENT photons (photon*)>
<!ELEMENT photon (coord, phc, en, det_time)>
<!ELEMENT coord (cel, det)>
<!ELEMENT cel (ra, dec)>
<!ELEMENT ra (#PCDATA)>
<!ELEMENT dec (#PCDATA)>
<!ELEMENT det (dx, dy)>
<!ELEMENT dx (#PCDATA)>
<!ELEMENT dy (#PCDATA)>
<!ELEMENT phc (#PCDATA)>
<!ELEMENT en (#PCDATA)>
<!ELEMENT det_time (#PCDATA)>
"""

_PHOTON = (
    "<photon><coord><cel><ra>%.4f</ra><dec>%.4f</dec></cel>"
    "<det><dx>%d</dx><dy>%d</dy></det></coord>"
    "<phc>%d</phc><en>%.3f</en><det_time>%d</det_time></photon>"
)

Progress = Callable[[int], None]
"""Told how many photons have been written so far."""


class SurveyOptions(TypedDict, total=False):
    """The fields of Survey, all optional, as keyword arguments."""

    seed: int
    hot_spots: bool
    disorder: float
    dirt: float
    start: int
    rate: float


def generate(count: int, **options: Unpack[SurveyOptions]) -> Iterator[str]:
    """The first `count` photons of a survey, each as one line of XML without its line break."""
    return chain.from_iterable(_blocks(Survey(**options), count))


def dirty(count: int, **options: Unpack[SurveyOptions]) -> tuple[DirtyItem, ...]:
    """The photons that `generate` breaks, by number, when it is called with the same arguments."""
    return tuple(dirty_items(Survey(**options), count))


def write(
    path: str | Path,
    count: int,
    *,
    files: int = 1,
    gzip: bool = False,
    progress: Progress | None = None,
    **options: Unpack[SurveyOptions],
) -> tuple[Path, ...]:
    """Write photons to a file, or cut over several files of a folder; the paths written.

    A file appears under its name when it is complete, so a folder may be watched meanwhile.
    """
    if files < 1:
        raise MillstreamError("photons need at least one file")
    paths = _paths(Path(path), files, gzip)
    photons = _Queue(_blocks(Survey(**options), count))
    for number, target in enumerate(paths):
        end = count * (number + 1) // files
        with complete_file(target, gzip=gzip) as file:
            file.write(b"<photons>\n")
            while photons.taken < end:
                file.write(photons.take(end - photons.taken))
                if progress:
                    progress(photons.taken)
            file.write(b"</photons>\n")
    return paths


def _blocks(survey: Survey, count: int) -> Iterator[list[str]]:
    for number, block in enumerate(observe(survey, count)):
        lines = _lines(block)
        for place, kind in dirt_of_block(survey, number).items():
            if place < len(lines):
                lines[place] = spoil(lines[place], kind)
        yield lines


def _lines(block: PhotonBlock) -> list[str]:
    columns = (
        (block.ra / 10_000).tolist(),
        (block.dec / 10_000).tolist(),
        block.dx.tolist(),
        block.dy.tolist(),
        block.phc.tolist(),
        (block.en / 1_000).tolist(),
        block.det_time.tolist(),
    )
    return [_PHOTON % row for row in zip(*columns, strict=True)]


class _Queue:
    """Photons in blocks, handed out in runs that may end inside a block."""

    def __init__(self, blocks: Iterator[list[str]]) -> None:
        self.taken = 0
        self._blocks = blocks
        self._left: list[str] = []

    def take(self, most: int) -> bytes:
        """The next photons, at least one and at most so many, as lines."""
        if not self._left:
            self._left = next(self._blocks)
        lines, self._left = self._left[:most], self._left[most:]
        self.taken += len(lines)
        return ("\n".join(lines) + "\n").encode("ascii")


def _paths(path: Path, files: int, gzip: bool) -> tuple[Path, ...]:
    if files == 1:
        return (path,)
    path.mkdir(parents=True, exist_ok=True)
    suffix = ".xml.gz" if gzip else ".xml"
    width = max(4, len(str(files - 1)))
    return tuple(path / f"photons-{number:0{width}}{suffix}" for number in range(files))
