"""A long stream drains in bounded memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from millstream.generators.photons import write

PHOTONS = 5_000_000
LIMIT = 4 * 1000**3
SCRIPT = """
import sys, millstream
from millstream.generators.photon_queries import PHOTON_QUERIES
with millstream.open(sys.argv[1]) as mill:
    mill.create_stream("photons", sys.argv[2], order_by="det_time", finite=True)
    for name, text in PHOTON_QUERIES.items():
        mill.subscribe(text, name=name)
    report = mill.run(until="drained")
    assert report.items == int(sys.argv[3]), report
    print(report)
"""


def family(root: int) -> set[int]:
    """A process and all that descend from it."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents[int(entry)] = int(fields[1])
    members = {root}
    while more := {child for child, parent in parents.items() if parent in members} - members:
        members |= more
    return members


def resident(process: int) -> int:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_five_million_photons_drain_under_four_gigabytes(tmp_path: Path) -> None:
    write(tmp_path / "photons", PHOTONS, files=8)
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "space"), str(tmp_path / "photons")]
    running = subprocess.Popen([*command, str(PHOTONS)])
    peak = 0
    while running.poll() is None:
        peak = max(peak, sum(resident(each) for each in family(running.pid)))
        time.sleep(0.2)
    print(f"peak resident memory: {peak / 1e9:.2f} GB")
    assert running.returncode == 0
    assert peak < LIMIT
