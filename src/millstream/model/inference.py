"""A schema from a sample of items, with notes that tell what was decided and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from millstream.model.child_order import ChildOrder
from millstream.model.observation import Observed, Tally
from millstream.model.sample import Sample, SampleItems, find_items
from millstream.model.schema import (
    Attribute,
    Content,
    Element,
    Leaf,
    Occurs,
    Path,
    Schema,
    ValueType,
)
from millstream.model.values import wider


@dataclass(frozen=True, slots=True)
class Inference:
    """A schema that was inferred, and short lines that tell the user what was."""

    schema: Schema
    notes: tuple[str, ...]


def infer(
    samples: Iterable[Sample], *, stream: str, item: str | None = None, tolerance: float = 0.0
) -> Inference:
    """The schema that a sample shows.

    XML samples are documents or elements, others are objects (of JSON, or rows of a table). Types
    are decided over all values of a leaf: integer before decimal before double before time before
    text. An empty value does not decide, nor do values of another kind (text among numbers) while
    their share is within the tolerance.
    """
    sample = find_items(samples, stream=stream, item=item)
    observed = sample.observe()
    builder = _Builder(sample.xml, tolerance, [_items_note(sample)])
    element = builder.item(sample.name, observed)
    schema = Schema(sample.root, element)
    return Inference(schema, (*builder.notes, *_leaf_notes(schema.leaves(), schema, observed)))


def typed(schema: Schema, samples: Iterable[Sample], *, tolerance: float = 0.0) -> Inference:
    """The schema with types, decided by a sample, for those of its leaves that are text."""
    sample = find_items(samples, stream=schema.root, item=schema.item.name)
    observed = sample.observe()
    undecided = [leaf.path for leaf in schema.leaves() if leaf.type is ValueType.TEXT]
    types = {path: _tally(observed, path).type(tolerance) for path in undecided}
    result = schema.with_types(types)
    decided = [leaf for leaf in result.leaves() if leaf.path in types]
    return Inference(result, tuple(_leaf_notes(decided, result, observed)))


@dataclass(slots=True)
class _Builder:
    """Makes elements of what was observed, and notes what people should know."""

    xml: bool
    tolerance: float
    notes: list[str]

    def item(self, name: str, place: Observed) -> Element:
        return self._element(name, place, Occurs.ONE, name, item=True)

    def _element(
        self, name: str, place: Observed, occurs: Occurs, path: str, *, item: bool = False
    ) -> Element:
        reason = self._raw_reason(name, place, item=item)
        if reason is not None:
            self.notes.append(f"{path}: kept as XML text ({reason})")
            return Element(name, occurs, Content.RAW)
        attributes = tuple(
            Attribute(each, tally.type(self.tolerance), required=tally.seen == place.seen)
            for each, tally in place.attributes.items()
        )
        if not place.with_children:
            type = place.values.type(self.tolerance)
            return Element(name, occurs, attributes=attributes, type=type)
        children = tuple(self._children(place, path))
        return Element(name, occurs, Content.NESTED, children, attributes)

    def _children(self, place: Observed, path: str) -> Iterator[Element]:
        for name in _order(place).ordered() or ():
            child = place.children[name]
            often = _occurs(child, place)
            if often is Occurs.OPTIONAL:
                absent = place.seen - child.parents
                self.notes.append(
                    f"{path}/{name}: optional (absent in {absent:,} of {place.seen:,})"
                )
            if often.repeated:
                self.notes.append(f"{path}/{name}: repeated (at most {child.most:,} together)")
            yield self._element(name, child, often, f"{path}/{name}")

    def _raw_reason(self, name: str, place: Observed, *, item: bool) -> str | None:
        """Why the content of an element cannot be columns, or None if it can."""
        if not self.xml:
            return None
        if place.with_text and place.with_children:
            return "text stands beside elements"
        order = _order(place)
        clash = order.clash()
        if clash is not None:
            return f"{clash[0]} and {clash[1]} stand in either order"
        if order.ordered() is None:
            return "its children have no fixed order"
        if not item and name in _names_inside(place):
            return f"it contains another {name}"
        return None


def _order(place: Observed) -> ChildOrder:
    order = ChildOrder()
    for run in sorted(place.runs, key=len, reverse=True):
        order.add_run(run)
    order.add(place.children)
    return order


def _occurs(child: Observed, parent: Observed) -> Occurs:
    # What was repeated and never absent may still be absent tomorrow: many, not some.
    if child.listed or child.most > 1:
        return Occurs.MANY
    return Occurs.ONE if child.parents == parent.seen else Occurs.OPTIONAL


def _names_inside(place: Observed) -> set[str]:
    names = set(place.children)
    for child in place.children.values():
        names |= _names_inside(child)
    return names


def _items_note(sample: SampleItems) -> str:
    where = f"below {sample.root}" if sample.root != sample.name else "each a document"
    return f"{sample.name}: the items ({len(sample.items):,} seen, {where})"


def _leaf_notes(leaves: Iterable[Leaf], schema: Schema, observed: Observed) -> Iterator[str]:
    for leaf in leaves:
        path = "/".join((schema.item.name, *leaf.path))
        yield f"{path}: {leaf.type.value} ({_values_words(_tally(observed, leaf.path), leaf.type)})"


def _values_words(tally: Tally, type: ValueType) -> str:
    if not tally.filled:
        return "no values seen"
    examples = [_short(example) for example in _telling_examples(tally, type)]
    words = f"{tally.filled:,} value{'s' if tally.filled > 1 else ''}, e.g. "
    words += ", but also ".join(examples)
    if type is ValueType.TEXT and tally.numbers:
        words += "; leading zeros, plus signs and long numbers are text unless you say otherwise"
    return words


def _telling_examples(tally: Tally, type: ValueType) -> list[str]:
    """A value of the type that was chosen, and one that is a stranger to its kind, if any."""
    chosen = tally.counts.most_common(1)[0][0] if type is ValueType.TEXT else type
    if chosen is ValueType.TEXT:
        return [tally.examples[chosen]]
    strange = [each for each in tally.examples if wider(each, chosen) is ValueType.TEXT]
    return [tally.examples[each] for each in (chosen, *strange[:1])]


def _tally(observed: Observed, path: Path) -> Tally:
    """What was seen at a leaf."""
    place = observed
    for name in path:
        if name.startswith("@"):
            return place.attributes.get(name[1:], Tally())
        place = place.children.get(name, Observed())
    return place.values


def _short(text: str) -> str:
    return text if len(text) <= 30 else text[:29] + "…"
