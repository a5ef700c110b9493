"""Texts in SQL: escaped for XML, read from XML, and values as they print."""

from __future__ import annotations

from millstream.compiler.history.binding import let
from millstream.compiler.history.lifespans import OPEN_SQL, START_SQL
from millstream.compiler.history.sequences import Atoms, Type
from millstream.compiler.names import string
from millstream.compiler.numbers import number_text
from millstream.model.filler_layout import TEXT_MARK
from millstream.model.schema import ValueType

ODD = "odd characters"
"""Raised where a text needs escapes that are rare: the query is then answered in another way."""
_ODD_TEXT = string("[\\r\\x7f-\\x9f\\u2028]")
_RARE = string("[\\x7f-\\x84\\x86-\\x9f]")
_REFERENCES = {"\r": "&#xD;", "\x85": "&#x85;", "\u2028": "&#x2028;"}
_TAGS = string("(?s)<!--.*?-->|<\\?.*?\\?>|<[^>]*>")
_SPACE = string(" \t\r\n")


def escaped(sql: str) -> str:
    """Text as it stands between tags; null stays null."""
    return let("text", sql, _escaped)


def _escaped(text: str) -> str:
    plain = f"replace(replace(replace({text}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')"
    odd = plain
    for character, reference in _REFERENCES.items():
        odd = f"replace({odd}, {string(character)}, {string(reference)})"
    rare = f"if({text} RLIKE {_RARE}, {_raised()}, {odd})"
    return f"if({text} RLIKE {_ODD_TEXT}, {rare}, {plain})"


def escaped_attribute(sql: str) -> str:
    """Text as it stands between the quotes of an attribute; null stays null."""
    text = escaped(sql)
    for character, reference in (('"', "&#34;"), ("\t", "&#x9;"), ("\n", "&#xA;")):
        text = f"replace({text}, {string(character)}, {string(reference)})"
    return text


def _raised() -> str:
    return f"CAST(raise_error({string(ODD)}) AS STRING)"


def string_value(xml: str) -> str:
    """The text in a piece of XML."""
    bare = f"regexp_replace({xml}, {_TAGS}, '')"
    text = f"replace(replace({bare}, '&lt;', '<'), '&gt;', '>')"
    for character, reference in _REFERENCES.items():
        text = f"replace({text}, {string(reference)}, {string(character)})"
    return let(
        "text",
        text,
        lambda text: f"if({text} LIKE '%&#x%', {_raised()}, replace({text}, '&amp;', '&'))",
    )


def unmarked(sql: str) -> str:
    """The text nodes of an element as one text."""
    return f"replace({sql}, {string(TEXT_MARK)}, '')"


def trimmed(sql: str) -> str:
    return f"btrim({sql}, {_SPACE})"


def shown(atoms: Atoms) -> Atoms:
    """Values as they print; none of them is null that was not."""
    if atoms.type.textual:
        return atoms
    if atoms.one:
        return Atoms(_shown(atoms.sql, atoms.type), Type.TEXT)
    text = f"transform({atoms.sql}, v -> {_shown('v', atoms.type)})"
    return Atoms(text, Type.TEXT, one=False)


def _shown(sql: str, type: Type) -> str:
    match type:
        case Type.TRUTH:
            return f"CAST({sql} AS STRING)"
        case Type.INTEGER:
            return f"CAST({sql} AS STRING)"
        case Type.DECIMAL:
            return number_text(sql, ValueType.DECIMAL)
        case Type.DOUBLE:
            return number_text(sql, ValueType.DOUBLE)
        case Type.TIME:
            return let("time", sql, _time_text)
        case Type.FINE_TIME:
            return let("time", sql, _fine_time_text)
        case Type.DURATION:
            return let("length", sql, _duration_text)
    raise AssertionError("texts show as they are")


def _duration_text(length: str) -> str:
    """A length of time in days, hours, minutes and seconds; what is zero is left out."""
    size = f"abs({length})"
    units = (("D", 86_400_000_000, None), ("H", 3_600_000_000, 24), ("M", 60_000_000, 60))
    shown = {}
    for unit, microseconds, most in units:
        number = f"({size} div {microseconds}L)"
        count = number if most is None else f"({number} % {most}L)"
        shown[unit] = f"if({count} = 0, '', concat(CAST({count} AS STRING), '{unit}'))"
    fraction = f"lpad(CAST({size} % 1000000L AS STRING), 6, '0')"
    whole = f"CAST(({size} div 1000000L) % 60L AS STRING)"
    seconds = f"concat(rtrim('.', rtrim('0', concat({whole}, '.', {fraction}))), 'S')"
    below = f"if({size} % 60000000L = 0, '', {seconds})"
    clock = f"if({size} % 86400000000L = 0, '', concat('T', {shown['H']}, {shown['M']}, {below}))"
    sign = f"if({length} < 0, '-', '')"
    return f"if({length} = 0, 'PT0S', concat({sign}, 'P', {shown['D']}, {clock}))"


def _time_text(time: str) -> str:
    stamp = f"timestamp_micros({time})"
    whole = f"date_format({stamp}, \"yyyy-MM-dd'T'HH:mm:ss\")"
    fraction = f"rtrim('0', date_format({stamp}, '.SSSSSS'))"
    return (
        f"CASE WHEN {time} = {OPEN_SQL} THEN 'now' WHEN {time} = {START_SQL} THEN 'start' "
        f"WHEN {time} % 1000000 = 0 THEN {whole} ELSE concat({whole}, {fraction}) END"
    )


def _fine_time_text(time: str) -> str:
    stamp = f"timestamp_seconds(({time} - pmod({time}, 1000000000L)) div 1000000000L)"
    whole = f"date_format({stamp}, \"yyyy-MM-dd'T'HH:mm:ss\")"
    fraction = f"lpad(CAST(pmod({time}, 1000000000L) AS STRING), 9, '0')"
    return f"rtrim('.', rtrim('0', concat({whole}, '.', {fraction})))"
