"""Histories that are killed at any crash point and resumed end as an undisturbed run does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

import millstream
from millstream.generators import radars
from millstream.generators.credit import Bank, credit_structure, fillers
from millstream.history.filler_files import STRUCTURE_FILE, write_fillers
from millstream.mill import Mill
from millstream.model.filler import Filler
from millstream.model.tag_structure import TagStructure
from millstream.model.tag_structure_text import tag_structure_text
from millstream.runtime.crash import VARIABLE
from tests.runtime.history.disorder import disordered
from tests.runtime.history.kill.run_histories import CHOSEN
from tests.runtime.history.without_spark import check, standing

AIRSPACE = radars.Airspace(5, 8, seed=5)
PLACES = ("parsed", "begun:3", "evaluated", "evaluated:6", "committed", "committed:4", "ended")
ROOT = Path(__file__).parents[4]

Outcome = dict[str, list[tuple[str, tuple[str, ...] | None]]]


def written(folder: Path, structure: TagStructure, made: Iterable[Filler]) -> None:
    write_fillers(folder, made, per_file=60)
    (folder / STRUCTURE_FILE).write_text(tag_structure_text(structure), encoding="utf-8")


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kill")
    bank = list(fillers(Bank(6, 90, seed=7)))
    written(folder / "credit", credit_structure(), disordered(bank, 7))
    for number, stream in enumerate(radars.RADARS):
        seen = stream.fillers(radars.events(AIRSPACE, number), AIRSPACE.start)
        written(folder / stream.name, stream.structure(), seen)
    return folder


@pytest.fixture(scope="module")
def undisturbed(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    space = tmp_path_factory.mktemp("undisturbed") / "space"
    assert run(space, sources) == 0
    return outcome(space)


def run(space: Path, sources: Path, crash_at: str | None = None) -> int:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment |= {VARIABLE: crash_at} if crash_at else {}
    script = Path(__file__).with_name("run_histories.py")
    command = [sys.executable, str(script), str(space), str(sources)]
    return subprocess.run(command, env=environment, timeout=600, check=False).returncode


def outcome(space: Path) -> Outcome:
    """The versions of all results; those of joins come in the order of their streams' steps."""
    with millstream.open(space) as mill:
        check(mill, CHOSEN)
        return {name: versions(mill, name) for name in CHOSEN}


def versions(mill: Mill, name: str) -> list[tuple[str, tuple[str, ...] | None]]:
    found = [(each.key, each.items) for each in standing(mill, name).versions()]
    return found if name != "radar" else sorted(found, key=str)


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("place", PLACES)
def test_killed_and_resumed_run_leaves_the_same_versions(
    place: str, sources: Path, undisturbed: Outcome, tmp_path: Path
) -> None:
    assert run(tmp_path / "space", sources, place) == -signal.SIGKILL
    assert run(tmp_path / "space", sources) == 0
    assert outcome(tmp_path / "space") == undisturbed


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_undisturbed_run_has_versions_of_every_kind(undisturbed: Outcome) -> None:
    assert all(undisturbed.values())
    assert Counter(items is None for _, items in undisturbed["fraud"])[True]
