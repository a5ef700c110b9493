"""The processor seconds of a process with all that it starts, and all that those start."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_SET_CHILD_SUBREAPER = 36
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Use:
    """What a process used, and how it ended."""

    cpu: float
    seconds: float
    status: int
    """Its exit status; negative if it was ended."""


def metered(command: Sequence[str], limit: float) -> Use:
    """Run a command, for so many seconds at most, in a process that has no other children."""
    # Processes whose parents end before them become our children: all are counted in the end.
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    started = time.monotonic()
    process = subprocess.Popen(command, start_new_session=True)
    try:
        status = process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        status = process.wait()
    seconds = time.monotonic() - started
    _wait_for_all(time.monotonic() + 20)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Use(used.ru_utime + used.ru_stime, seconds, status)


def seconds_used() -> float:
    """What this process and all below it have used so far, with those that have ended."""
    return sum(_seconds(each) for each in _descendants(os.getpid()))


def _wait_for_all(deadline: float) -> None:
    """Wait for what is left over; what does not end by itself is ended."""
    while True:
        try:
            process, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if process == 0:
            if time.monotonic() > deadline:
                for each in _children(os.getpid()):
                    os.kill(each, signal.SIGKILL)
            time.sleep(0.05)


def _descendants(process: int) -> Iterator[int]:
    yield process
    for child in _children(process):
        yield from _descendants(child)


def _children(process: int) -> list[int]:
    """The children of a process, of whichever of its threads."""
    files = Path(f"/proc/{process}/task").glob("*/children")
    return [int(each) for file in files for each in _read(file).split()]


def _seconds(process: int) -> float:
    """Of a process and those of its children that have ended."""
    fields = _read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()
    return sum(int(each) for each in fields[11:15]) / _TICKS


def _read(file: Path) -> str:
    """What a file of /proc says; nothing if its process has ended meanwhile."""
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
