"""A tag structure derived from a DTD and the names of the elements that change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from millstream.errors import SchemaError, did_you_mean
from millstream.model.dtd import read_declared_root
from millstream.model.dtd_declarations import Declaration
from millstream.model.limits import MAX_ELEMENTS, check_depth
from millstream.model.schema import Content, Path
from millstream.model.tag_structure import RESERVED_NAMES, Tag, TagStructure, TagType

DEFAULT_RECURSION = 2
"""How often a name may stand on one path: an element inside one of its own name, once."""


def derive_tag_structure(
    text: str,
    *,
    temporal: Sequence[str] = (),
    event: Sequence[str] = (),
    root: str | None = None,
    recursion: int = DEFAULT_RECURSION,
) -> TagStructure:
    """The tag structure of a DTD; ids count the tags in document order, from 1.

    Elements are named as 'account', wherever they stand, or by the end of their path, as in
    'account/creditLimit'. Elements that contain themselves are unfolded up to `recursion` times.
    """
    if recursion < 1:
        raise SchemaError(
            "elements must be unfolded at least once", help="pass recursion=1 or more"
        )
    top, declared = read_declared_root(text, root)
    types = _Types({**_named(temporal, TagType.TEMPORAL), **_named(event, TagType.EVENT)})
    types.check_disjoint(temporal, event)
    structure = TagStructure(_Unfolding(declared, types, recursion).tag(top, ()))
    types.check_used(declared)
    return structure


def _named(names: Sequence[str], type: TagType) -> dict[Path, TagType]:
    return {tuple(name.strip("/").split("/")): type for name in names}


@dataclass(slots=True)
class _Types:
    """The types that names and ends of paths ask for."""

    asked: Mapping[Path, TagType]
    used: set[Path] = field(default_factory=set)

    def of(self, path: Path) -> TagType:
        """The type of the element at a path; the longest end that is named decides."""
        fitting = [end for end in self.asked if path[-len(end) :] == end]
        if not fitting:
            return TagType.SNAPSHOT
        self.used.update(fitting)
        type = self.asked[max(fitting, key=len)]
        if len(path) == 1 and type is TagType.EVENT:
            raise SchemaError(f"the root {path[0]} cannot be an event")
        return type

    def check_disjoint(self, temporal: Sequence[str], event: Sequence[str]) -> None:
        for name in set(temporal) & set(event):
            raise SchemaError(f"{name} cannot be both temporal and an event")

    def check_used(self, declared: Mapping[str, Declaration]) -> None:
        for path in self.asked:
            if path not in self.used:
                raise SchemaError(
                    f"the DTD has no element {'/'.join(path)}",
                    help=did_you_mean(path[-1], declared),
                )


@dataclass(slots=True)
class _Unfolding:
    """The declarations of a DTD while they become a tree."""

    declared: Mapping[str, Declaration]
    types: _Types
    recursion: int
    built: int = 0

    def tag(self, name: str, above: Path) -> Tag:
        self.built += 1
        self._check_size()
        path = (*above, name)
        check_depth(len(path))
        declaration = self._declaration(name, above)
        id, type = self.built, self.types.of(path)
        children = tuple(
            self.tag(child, path)
            for child in declaration.mentions
            if path.count(child) < self.recursion
        )
        return Tag(id, name, type, children)

    def _check_size(self) -> None:
        if self.built > MAX_ELEMENTS:
            raise SchemaError(
                f"the DTD unfolds to more than {MAX_ELEMENTS:,} tags",
                help=f"elements that contain themselves are unfolded {self.recursion} times: "
                "pass a smaller recursion, or write the tag structure itself",
            )

    def _declaration(self, name: str, above: Path) -> Declaration:
        if name not in self.declared:
            raise SchemaError(
                f"element {name}, a child of {above[-1]}, is not declared",
                help=did_you_mean(name, self.declared),
            )
        if name in RESERVED_NAMES:
            raise SchemaError(
                f"no element may be called {name}", help="it is a word of the wire format"
            )
        declaration = self.declared[name]
        if declaration.content is Content.RAW and not declaration.mentions:
            raise SchemaError(
                f"element {name} may hold anything, which no tag structure describes",
                help="declare which elements may stand in it",
            )
        return declaration
