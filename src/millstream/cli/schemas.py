"""The schemas of streams that a command speaks of without reading them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from millstream.algebra.operators import Query
from millstream.cli.console import say
from millstream.cli.stream_request import (
    STREAM_OPTIONS,
    SUBSCRIPTION_OPTIONS,
    TYPE_PREFIX,
    StreamRequest,
    check_sources,
    pairs,
    value_type,
)
from millstream.cli.types_by_use import used_as_numbers
from millstream.errors import QueryError, SchemaError, did_you_mean
from millstream.languages.xquery import compile_text
from millstream.model.reading import read_schema
from millstream.model.schema import Path as LeafPath
from millstream.model.schema import Schema, ValueType


@dataclass(frozen=True, slots=True)
class Schemas:
    """The streams that are known by their schemas, and which types nothing has told."""

    schemas: Mapping[str, Schema]
    undecided: frozenset[tuple[str, LeafPath]] = frozenset()

    def with_schema(self, name: str, schema: Schema, undecided: Iterable[LeafPath] = ()) -> Schemas:
        """These and one more stream, some of whose types are not told."""
        places = ((name, path) for path in undecided)
        return Schemas({**self.schemas, name: schema}, self.undecided.union(places))

    def schema(self, stream_name: str, /) -> Schema:
        if stream_name not in self.schemas:
            raise QueryError(
                f"there is no stream '{stream_name}'",
                help=did_you_mean(stream_name, self.schemas) or "name it: --schema NAME=FILE",
            )
        return self.schemas[stream_name]

    def names(self) -> Sequence[str]:
        return tuple(self.schemas)

    def compiled(self, texts: Sequence[str]) -> tuple[Query, ...]:
        """The queries; undecided elements are numbers where one of the queries uses them so."""
        if not self.undecided:
            return tuple(compile_text(text, self) for text in texts)
        guess = self._with_numbers(self.undecided)
        used = used_as_numbers(compile_text(text, guess) for text in texts) & self.undecided
        self._tell(used)
        decided = self._with_numbers(used)
        return tuple(compile_text(text, decided) for text in texts)

    def _with_numbers(self, places: frozenset[tuple[str, LeafPath]]) -> Schemas:
        return Schemas(
            {
                name: schema.with_types(
                    {path: ValueType.DECIMAL for stream, path in places if stream == name}
                )
                for name, schema in self.schemas.items()
            }
        )

    def _tell(self, used: frozenset[tuple[str, LeafPath]]) -> None:
        for name in self.schemas:
            paths = sorted("/".join(path) or "." for stream, path in used if stream == name)
            if paths:
                say(f"{name}: taken for numbers, as they are used so: {', '.join(paths)}")


def known_schemas(
    schemas: list[str] | None,
    streams: list[str] | None,
    orders: list[str] | None,
    items: list[str] | None,
    settings: list[str] | None,
) -> Schemas:
    """The schemas that options give: by a file, or by a sample of a source."""
    files, sources = pairs("--schema", schemas), pairs("--stream", streams)
    ordered, named_items, types = pairs("--order", orders), pairs("--item", items), _types(settings)
    names = tuple(dict.fromkeys((*files, *sources)))
    if not names:
        raise typer.BadParameter("name at least one: --schema NAME=FILE", param_hint="--schema")
    for flag, mentioned in (("--order", ordered), ("--item", named_items), ("--set", types)):
        for name in mentioned:
            _check_known(name, names, flag)
    known = Schemas({})
    for name in names:
        item, order, chosen = named_items.get(name), ordered.get(name), types.get(name, {})
        if name in sources:
            schema = _sampled(name, sources[name], files.get(name), item, order, chosen)
            known = known.with_schema(name, schema)
        else:
            known = known.with_schema(name, *_read(name, files[name], item, order, chosen))
    return known


def _check_known(name: str, names: Sequence[str], flag: str) -> None:
    if name not in names:
        raise typer.BadParameter(
            f"no --schema is named '{name}'; {did_you_mean(name, names)}", param_hint=flag
        )


def _read(
    name: str, file: str, item: str | None, order: str | None, types: Mapping[str, str]
) -> tuple[Schema, Iterable[LeafPath]]:
    """The schema in a file, and the leaves of which it does not tell the types."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise SchemaError(f"cannot read schema {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SchemaError(f"schema {file} is not UTF-8 text: {error.reason}") from error
    schema = read_schema(text, stream=name, item=item)
    typeless = "<!ELEMENT" in text
    decided = {_leaf_path(path, schema): ValueType(kind) for path, kind in types.items()}
    if order is not None and typeless:
        decided.setdefault(_leaf_path(order, schema), ValueType.DECIMAL)
    undecided = (leaf.path for leaf in schema.leaves() if typeless and leaf.path not in decided)
    return schema.with_types(decided), undecided


def _sampled(
    name: str,
    source: str,
    file: str | None,
    item: str | None,
    order: str | None,
    types: Mapping[str, str],
) -> Schema:
    """The schema of a stream as `query` would take it to be."""
    from millstream.runtime.stream_creation import new_stream

    check_sources((StreamRequest(name, source),))
    record = new_stream(
        name,
        source,
        schema=file,
        format=None,
        item=item,
        order_by=order,
        anchor=0,
        lateness=0,
        types=types,
        finite=True,
        retention=None,
        max_bytes_per_batch=None,
        max_items_per_batch=None,
        key=None,
        delimiter=None,
    )
    for note in record.notes:
        say(f"{name}: {note}")
    return record.schema


def _types(settings: list[str] | None) -> dict[str, dict[str, str]]:
    """The types that are set, by stream and path; nothing else matters without data."""
    found: dict[str, dict[str, str]] = {}
    for target, value in pairs("--set", settings).items():
        name, _, option = target.partition(".")
        if option.startswith(TYPE_PREFIX):
            found.setdefault(name, {})[option.removeprefix(TYPE_PREFIX)] = value_type(value)
        elif option not in (*SUBSCRIPTION_OPTIONS, *STREAM_OPTIONS):
            known = (*STREAM_OPTIONS, *SUBSCRIPTION_OPTIONS, "type.PATH")
            raise typer.BadParameter(
                f"unknown option '{option}'; {did_you_mean(option, known)}", param_hint="--set"
            )
    return found


def _leaf_path(text: str, schema: Schema) -> LeafPath:
    path = tuple(text.split("/"))
    inside = path[0] == schema.item.name and schema.leaf(path) is None
    return path[1:] if inside else path
