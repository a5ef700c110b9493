"""What it takes to cut a large document into fillers and to take these in, in memory and time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from millstream.generators.auction_structure import auction_structure
from millstream.model.tag_structure_text import tag_structure_text

_COMMAND = "import sys; from millstream.cli.main import main; sys.exit(main())"
_LOAD = """
import sys
import millstream

with millstream.open(sys.argv[1]) as mill:
    mill.create_stream("auction", sys.argv[2], schema=sys.argv[3], finite=True)
    print(mill.run().items)
"""


@dataclass(frozen=True, slots=True)
class Peak:
    """The seconds that a process took, and the most memory that it and all below it held."""

    seconds: float
    gigabytes: float
    said: str


def loaded(document: Path, folder: Path) -> dict[str, Peak]:
    """Cut a document, and take it into a space, each in processes of their own."""
    folder.mkdir(parents=True)
    structure = folder / "structure.xml"
    structure.write_text(tag_structure_text(auction_structure()), encoding="utf-8")
    fillers = folder / "fillers"
    cut = ("-c", _COMMAND, "fragment", str(document), "--schema", str(structure))
    return {
        "fragment": _run(*cut, "--out", str(fillers)),
        "load": _run("-c", _LOAD, str(folder / "space"), str(fillers), str(structure)),
    }


def _run(*arguments: str) -> Peak:
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True)
    most = 0.0
    while process.poll() is None:
        most = max(most, sum(map(_held, _family(process.pid))))
        time.sleep(0.25)
    assert process.stdout is not None
    said = process.stdout.read()
    if process.returncode:
        raise RuntimeError(f"{arguments[:3]} ended with {process.returncode}")
    return Peak(time.perf_counter() - started, most / 1e6, said.strip())


def _family(process: int) -> Iterator[int]:
    """A process and all that it has started."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parent = int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(name))
    waiting = [process]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += children.get(each, ())


def _held(process: int) -> int:
    """The resident kilobytes of a process; what it shares with others counts in parts."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
