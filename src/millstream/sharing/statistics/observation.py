"""Statistics from a few items of a stream, and anew from what flows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any

import numpy as np
from lxml import etree

from millstream.errors import ItemError
from millstream.model.schema import Content, Element, Leaf, Path, Schema, ValueType
from millstream.model.values import XML_SPACE, parse_value
from millstream.sharing.statistics.sample import Column, Sample, seconds
from millstream.sharing.statistics.stream import ElementStatistics, StreamStatistics

SAMPLE = 2_000
"""Items that a sample holds, and that are looked at in one observation."""

NEVER = ElementStatistics(0.0, 0.0)

_PARSER = etree.XMLParser(
    remove_comments=True, remove_pis=True, resolve_entities=False, no_network=True
)


def observe(schema: Schema, items: Iterable[str], rate: float) -> StreamStatistics:
    """The statistics of a stream, from the XML of its first items and its items a second.

    Items that are not well-formed are passed over: they will not flow either.
    """
    seen = _Observation(schema)
    for item in islice(items, SAMPLE):
        seen.add(item)
    if not seen.count:
        raise ItemError(
            f"no well-formed item of <{schema.root}> to take statistics from",
            help="give at least one item of the stream",
        )
    return seen.statistics(rate)


def refreshed(
    statistics: StreamStatistics, *, items: Iterable[str] = (), rate: float | None = None
) -> StreamStatistics:
    """The statistics after more items of the stream were seen, or at another rate.

    The new items weigh as much as as many old ones; no more old ones than a sample holds count.
    """
    frequency = statistics.frequency if rate is None else rate
    seen = _Observation(statistics.schema)
    for item in islice(items, SAMPLE):
        seen.add(item)
    if not seen.count:
        return replace(statistics, frequency=frequency)
    return _blended(statistics, seen.statistics(frequency))


class _Observation:
    """What has been seen of a stream so far."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.count = 0
        self._bytes = 0
        self._sizes: dict[Path, list[int]] = defaultdict(list)
        self._owners: dict[Path, list[int]] = defaultdict(list)
        self._values: dict[Path, list[Any]] = defaultdict(list)
        self._leaves = {leaf.path: leaf for leaf in schema.leaves()}

    def add(self, item: str) -> None:
        try:
            root = etree.fromstring(item.encode(), _PARSER)
        except etree.XMLSyntaxError:
            return
        self._bytes += len(item.strip(XML_SPACE).encode())
        self._visit(root, self.schema.item, ())
        self.count += 1

    def _visit(self, node: etree._Element, element: Element, path: Path) -> None:
        for attribute in element.attributes:
            text = node.get(attribute.name)
            if text is not None:
                place = (*path, f"@{attribute.name}")
                self._sizes[place].append(len(f' {attribute.name}="{text}"'.encode()))
                self._note(place, text)
        if element.content is Content.LEAF:
            self._note(path, "".join(str(each) for each in node.itertext()))
        for child in element.children:
            below = (*path, child.name)
            for each in node.iterchildren(child.name):
                xml = etree.tostring(each, encoding="utf-8", with_tail=False)
                self._sizes[below].append(len(xml))
                self._visit(each, child, below)

    def _note(self, path: Path, text: str) -> None:
        value = _sampled(text, self._leaves[path].type)
        if value is not None:
            self._owners[path].append(self.count)
            self._values[path].append(value)

    def statistics(self, rate: float) -> StreamStatistics:
        columns = {path: self._column(leaf) for path, leaf in self._leaves.items()}
        return StreamStatistics(
            self.schema,
            self.count,
            self._bytes / self.count,
            rate,
            {
                path: ElementStatistics(len(sizes) / self.count, sum(sizes) / len(sizes))
                for path, sizes in self._sizes.items()
            },
            _increments(columns),
            Sample(self.count, columns),
        )

    def _column(self, leaf: Leaf) -> Column:
        kind: Any = object if leaf.type is ValueType.TEXT else np.float64
        return Column(
            leaf.type,
            leaf.repeated,
            np.asarray(self._owners[leaf.path], dtype=np.int64),
            np.asarray(self._values[leaf.path], dtype=kind),
        )


def _sampled(text: str, type: ValueType) -> float | str | None:
    if type is ValueType.TEXT:
        return text.strip(XML_SPACE)
    try:
        value = parse_value(text, type)
    except ValueError:
        return None
    return seconds(value) if isinstance(value, datetime) else float(value)


def _increments(columns: Mapping[Path, Column]) -> dict[Path, float]:
    """From the first value to the last, divided by the items between them."""
    found: dict[Path, float] = {}
    for path, column in columns.items():
        if column.type is ValueType.TEXT or column.repeated or len(column.values) < 2:
            continue
        between = int(column.owners[-1] - column.owners[0])
        found[path] = float(column.values[-1] - column.values[0]) / between
    return found


def _newest(old: Sample, new: Sample) -> Sample:
    """The last items of two samples, one after the other, as many as a sample holds."""
    kept = min(old.items + new.items, SAMPLE)
    first = old.items + new.items - kept
    columns: dict[Path, Column] = {}
    for path, column in new.columns.items():
        before = old.columns[path]
        owners = np.concatenate((before.owners, column.owners + old.items)) - first
        values = np.concatenate((before.values, column.values))
        stays = owners >= 0
        columns[path] = Column(column.type, column.repeated, owners[stays], values[stays])
    return Sample(kept, columns)


def _blended(old: StreamStatistics, new: StreamStatistics) -> StreamStatistics:
    share = new.items / (new.items + min(old.items, SAMPLE))

    def mean(one: float, other: float) -> float:
        return one + share * (other - one)

    increments = {**old.increments, **new.increments}
    return StreamStatistics(
        old.schema,
        old.items + new.items,
        mean(old.size, new.size),
        new.frequency,
        {
            path: _mixed(old.elements.get(path, NEVER), new.elements.get(path, NEVER), mean)
            for path in {**old.elements, **new.elements}
        },
        {path: mean(old.increments.get(path, last), last) for path, last in increments.items()},
        _newest(old.sample, new.sample),
    )


def _mixed(
    old: ElementStatistics, new: ElementStatistics, mean: Callable[[float, float], float]
) -> ElementStatistics:
    occurrence, weight = mean(old.occurrence, new.occurrence), mean(old.weight, new.weight)
    return ElementStatistics(occurrence, weight / occurrence if occurrence else 0.0)
