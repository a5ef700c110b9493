"""What the streams of a scenario carry: their items, their schema, and a file to read them from."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from lxml import etree

from millstream.errors import ItemError, SchemaError, did_you_mean
from millstream.generators import photons
from millstream.model.inference import infer, typed
from millstream.model.reading import read_schema
from millstream.model.schema import Schema, ValueType
from millstream.scenarios.scenario import FileSource, PhotonSource, ScenarioStream

SAMPLE = 500
"""So many items decide the types of a schema."""


def items(stream: ScenarioStream, limit: int | None = None) -> Iterator[str]:
    """The items of a stream as XML text, the first ones or all."""
    match stream.source:
        case PhotonSource(count, seed, per_second):
            wanted = count if limit is None else min(count, limit)
            return photons.generate(wanted, seed=seed, rate=per_second)
        case FileSource(path):
            name = _item_name(stream)
            return (
                etree.tostring(each, encoding="unicode", with_tail=False)
                for each in islice(_elements(path, name), limit)
            )


def schema_of(stream: ScenarioStream) -> Schema:
    """The schema of a stream, with types that its first items show."""
    sample = [etree.fromstring(each) for each in items(stream, SAMPLE)]
    if not sample:
        raise ItemError(f"stream '{stream.name}' has no items", code="no-items")
    declared = _declared(stream)
    if declared is None:
        schema = infer(sample, stream=stream.name, item=sample[0].tag).schema.loosened()
        schema = Schema(_root_name(stream), schema.item)
    else:
        schema = typed(declared, sample).schema
    _check_order(stream, schema)
    return schema


def written(stream: ScenarioStream, folder: Path) -> Path:
    """A file with all items of a stream: its own, or one newly written to a folder."""
    match stream.source:
        case FileSource(path):
            return path
        case PhotonSource(count, seed, per_second):
            path = folder / f"{stream.name}.xml"
            photons.write(path, count, seed=seed, rate=per_second)
            return path


def _declared(stream: ScenarioStream) -> Schema | None:
    if stream.schema is None:
        return None
    return read_schema(stream.schema, stream=stream.name, item=stream.item)


def _item_name(stream: ScenarioStream) -> str | None:
    declared = _declared(stream)
    return stream.item if declared is None else declared.item.name


def _root_name(stream: ScenarioStream) -> str:
    assert isinstance(stream.source, FileSource), "photons have a schema"
    with _opened(stream.source.path) as file:
        _, root = next(etree.iterparse(file, events=("start",), **_SAFE))
    return str(root.tag)


_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}


def _elements(path: Path, name: str | None) -> Iterator[etree._Element]:
    """The elements of a name in a document, or without one the children of its root."""
    depth = 0
    try:
        with _opened(path) as file:
            for event, element in etree.iterparse(file, events=("start", "end"), **_SAFE):
                depth += 1 if event == "start" else -1
                if event == "end" and (element.tag == name if name else depth == 1):
                    yield element
                    _forget(element)
    except etree.XMLSyntaxError as error:
        raise ItemError(f"'{path}' is not well-formed XML: {error.msg}") from None
    except OSError as error:
        raise SchemaError(f"cannot read '{path}': {error.strerror}") from None


def _opened(path: Path) -> BinaryIO:
    with open(path, "rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return cast(BinaryIO, gzip.open(path)) if packed else open(path, "rb")


def _forget(element: etree._Element) -> None:
    """Let go of an element that has been handed out, and of those before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and parent[0] is not element:
        del parent[0]


def _check_order(stream: ScenarioStream, schema: Schema) -> None:
    if stream.order_by is None:
        return
    leaf = schema.leaf(tuple(stream.order_by.split("/")))
    if leaf is None:
        raise SchemaError(
            f"the order path {stream.order_by} of stream '{stream.name}' is no leaf of its items",
            help=did_you_mean(stream.order_by, (str(each) for each in schema.leaves())),
        )
    if leaf.repeated or leaf.type is ValueType.TEXT:
        raise SchemaError(f"the items of stream '{stream.name}' have no order by {leaf}")
