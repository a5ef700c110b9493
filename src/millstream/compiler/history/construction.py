"""Constructed elements as XML text."""

from __future__ import annotations

from collections.abc import Iterator

from millstream.algebra.xcql import expressions as core
from millstream.compiler.history.base import CompilerBase
from millstream.compiler.history.binding import let
from millstream.compiler.history.environment import Environment
from millstream.compiler.history.sequences import (
    Atoms,
    Chain,
    Made,
    Nodes,
    Role,
    Sequence,
    Type,
)
from millstream.compiler.history.texts import escaped, escaped_attribute, shown
from millstream.compiler.history.untranslatable import Untranslatable
from millstream.compiler.names import string
from millstream.model import xml_text


class ConstructionCompiler(CompilerBase):
    """Compiles constructors."""

    def element(self, made: core.MadeElement, environment: Environment) -> Made:
        name = made.name
        opening = [string(f"<{name}")]
        for attribute in made.attributes:
            opening += self._attribute(attribute, environment)
        content: list[str] = []
        sure = False
        for part in made.content:
            match part:
                case core.MadeText(value):
                    content.append(string(xml_text.escaped_text(value)))
                    sure = sure or bool(value)
                case core.MadeElement():
                    content.append(self.element(part, environment).sql)
                    sure = True
                case _:
                    texts, attributes = self._content(
                        self.compiled(part, environment), first=not content
                    )
                    opening += attributes
                    content += texts
        if not content:
            return Made(_concat([*opening, "'/>'"]))
        closing = string(f"</{name}>")
        if sure:
            return Made(_concat([*opening, "'>'", *content, closing]))
        inside = let(
            "inside",
            _concat(content),
            lambda text: f"if({text} = '', '/>', concat('>', {text}, {closing}))",
        )
        return Made(_concat([*opening, inside]))

    def _attribute(self, attribute: core.MadeAttribute, environment: Environment) -> list[str]:
        parts = [string(f' {attribute.name}="')]
        for part in attribute.parts:
            if isinstance(part, core.Literal) and isinstance(part.value, str):
                parts.append(string(xml_text.escaped_attribute(part.value)))
            else:
                parts.append(self._attribute_value(self.compiled(part, environment)))
        return [*parts, "'\"'"]

    def _attribute_value(self, sequence: Sequence) -> str:
        """Values with a space between them."""
        texts = []
        for leaf in _settled(sequence):
            values = shown(self.reader.atoms(leaf))
            plain = leaf.type if isinstance(leaf, Atoms) else None
            if plain is not None and (plain.numeric or plain is Type.TIME):
                texts.append(values.sql)
            elif values.one:
                texts.append(escaped_attribute(values.sql))
            else:
                texts.append(f"transform({values.sql}, a -> {escaped_attribute('a')})")
        return f"concat_ws(' ', {', '.join(texts)})" if texts else "''"

    def _content(self, sequence: Sequence, *, first: bool) -> tuple[list[str], list[str]]:
        """The texts of what is enclosed, none null, and attributes that come before."""
        texts: list[str] = []
        attributes: list[str] = []
        values: list[str] = []
        for leaf in self.printed(sequence):
            if isinstance(leaf, Atoms) and leaf.role is Role.ATTRIBUTE:
                if texts or values or not first or not leaf.one:
                    raise Untranslatable("attributes after other content")
                value = escaped_attribute(leaf.sql)
                opening = string(f' {leaf.name}="')
                attributes.append(f"coalesce(concat({opening}, {value}, '\"'), '')")
                continue
            if isinstance(leaf, Atoms) and leaf.role in (Role.VALUE, Role.ELEMENT):
                values.append(self._values(leaf))
                continue
            if values:
                texts.append(f"concat_ws(' ', {', '.join(values)})")
                values = []
            texts.append(self._markup(leaf))
        if values:
            texts.append(f"concat_ws(' ', {', '.join(values)})")
        return texts, attributes

    def _values(self, atoms: Atoms) -> str:
        printed = shown(atoms)
        if not atoms.type.textual:
            return printed.sql
        if printed.one:
            return escaped(printed.sql)
        return f"transform({printed.sql}, a -> {escaped('a')})"

    def _markup(self, leaf: Atoms | Made | Nodes) -> str:
        texts = self.texts(leaf)
        if texts.one:
            return f"coalesce({texts.sql}, '')"
        return f"array_join({texts.sql}, '')"

    def printed(self, sequence: Sequence) -> Iterator[Atoms | Made | Nodes]:
        """The parts of a sequence; nodes of several kinds are one, as XML in document order."""
        match sequence:
            case Chain(parts, False) if len(parts) > 1:
                found = self.reader.in_order(parts, self.reader.xml)
                yield Made(f"transform({found}, x -> x.v)", one=False)
            case Chain(parts):
                for part in parts:
                    yield from self.printed(part)
            case _:
                yield sequence

    def texts(self, leaf: Atoms | Made | Nodes) -> Made:
        """Items as the text of a result: nodes as XML, values escaped."""
        match leaf:
            case Made():
                return leaf
            case Nodes(array=None, present=present):
                xml = self.reader.xml(leaf.spot)
                return Made(xml if present is None else f"if({present}, {xml}, NULL)")
            case Nodes(array=str(array)):
                name = self.statement.fresh("n")
                xml = self.reader.xml(leaf.make(name))
                return Made(f"transform({array}, {name} -> {xml})", one=False)
            case Atoms():
                return Made(self._values(leaf), leaf.one)
        raise AssertionError("items are atoms, made or stored")


def _settled(sequence: Sequence) -> Iterator[Sequence]:
    """The parts of a sequence; nodes of several kinds stay together."""
    if not isinstance(sequence, Chain) or not sequence.ordered:
        yield sequence
        return
    for part in sequence.parts:
        yield from _settled(part)


def _concat(parts: list[str]) -> str:
    """Texts one after the other; constants that are neighbours are one."""
    merged: list[str] = []
    for part in parts:
        if merged and _is_text(part) and _is_text(merged[-1]):
            merged[-1] = merged[-1][:-1] + part[1:]
        else:
            merged.append(part)
    return merged[0] if len(merged) == 1 else f"concat({', '.join(merged)})"


def _is_text(sql: str) -> bool:
    return len(sql) > 1 and sql[0] == sql[-1] == "'" and "'" not in sql[1:-1].replace("\\'", "")
