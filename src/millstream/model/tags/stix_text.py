"""A stix as text: '(4)2|(1-3)1' says that tag 1 is on tuples 1 to 3 and tag 2 on tuple 4.

Where attributes are named, the tuple stands before a colon: '(1:1,4-5)2|(1:1-3)1'. Several tuples
with attributes have semicolons between them. A stix is read from right to left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from millstream.errors import ItemError
from millstream.model.tags.stix import MOST_REFERENCES, Reference, Stix

_ENTRY = re.compile(r"\(([0-9,:;\-]+)\)([0-9]{1,6})")
_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")


def format_stix(stix: Stix) -> str:
    """The text of a stix."""
    entries = [f"({_entry_text(entry)}){n}" for n, entry in enumerate(stix.entries, 1)]
    return "|".join(reversed(entries))


def parse_stix(text: str) -> Stix:
    """The stix that a text stands for, or ItemError."""
    entries: dict[int, tuple[Reference, ...]] = {}
    for part in re.sub(r"\s", "", text).split("|"):
        match = _ENTRY.fullmatch(part)
        if match is None:
            raise _bad(f"expected something like (1-3)1, found {part[:40]!r}")
        number = int(match[2])
        if number in entries:
            raise _bad(f"tag {number} stands in it twice")
        entries[number] = tuple(sorted(_references(match[1])))
    if sorted(entries) != list(range(1, len(entries) + 1)):
        raise _bad(f"its tags are not numbered from 1 to {len(entries)}")
    return Stix(tuple(entries[number] for number in sorted(entries)))


def _entry_text(entry: Sequence[Reference]) -> str:
    groups = groupby(_longest_runs(entry), key=lambda run: run[1])
    return ";".join(_group_text(attributes, runs) for attributes, runs in groups)


def _group_text(attributes: tuple[int, ...], runs: Iterable[tuple[str, tuple[int, ...]]]) -> str:
    if not attributes:
        return ",".join(run for run, _ in runs)
    listed = ",".join(_ranges(attributes))
    return ";".join(f"{run}:{listed}" for run, _ in runs)


def _longest_runs(entry: Sequence[Reference]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Runs of consecutive tuples with the same attributes."""
    start = 0
    for end in range(1, len(entry) + 1):
        first, last = entry[start], entry[end - 1]
        following = entry[end] if end < len(entry) else None
        if following and following == Reference(last.offset + 1, first.attributes):
            continue
        yield _range_text(first.offset, last.offset), first.attributes
        start = end


def _ranges(numbers: Sequence[int]) -> Iterator[str]:
    """Numbers in order, with a dash for each run."""
    for run, _ in _longest_runs([Reference(number) for number in numbers]):
        yield run


def _range_text(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _references(text: str) -> Iterator[Reference]:
    for group in text.split(";"):
        tuples, colon, attributes = group.partition(":")
        numbers = tuple(_numbers(attributes)) if colon else ()
        for offset in _numbers(tuples):
            yield Reference(offset, tuple(sorted(numbers)))


def _numbers(text: str) -> Iterator[int]:
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise _bad(f"expected a number or a range, found {part[:40]!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last < first + MOST_REFERENCES:
            raise _bad(f"the range {part} is reversed or too long")
        yield from range(first, last + 1)


def _bad(reason: str) -> ItemError:
    return ItemError(f"not a stix: {reason}", code="bad-stix")
