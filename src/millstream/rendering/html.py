"""Tables, texts and pictures as HTML that notebooks show, in light and in dark."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from html import escape

_CELL = "padding: 2px 10px; text-align: left; vertical-align: top"
_LINE = "border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent)"


def page(title: str, *parts: str) -> str:
    """An object: its title, and what there is of it."""
    shown = "".join(f'<div style="margin: 6px 0">{part}</div>' for part in parts if part)
    return f'<div class="millstream"><strong>{escape(title)}</strong>{shown}</div>'


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], empty: str = "") -> str:
    """A table of values; `empty` is said where there are none."""
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    if not body:
        return f"<em>{escape(empty)}</em>" if empty else ""
    head = "".join(f'<th style="{_CELL}; {_LINE}">{escape(each)}</th>' for each in headings)
    return (
        '<table style="border-collapse: collapse; display: block; overflow-x: auto">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def facts(named: Mapping[str, object]) -> str:
    """Values by their names, on one line."""
    return " · ".join(f"{escape(name)} {_shown(value)}" for name, value in named.items())


def text(content: str) -> str:
    """A text as it is written, line by line."""
    return (
        f'<pre style="margin: 0; white-space: pre-wrap; background: none">{escape(content)}</pre>'
    )


def folded(summary: str, content: str, *, opened: bool = False) -> str:
    """Something that is shown when its summary is chosen."""
    state = " open" if opened else ""
    return f"<details{state}><summary>{escape(summary)}</summary>{content}</details>"


def picture(svg: str, told: str) -> str:
    """A drawing; as an image, so that its styles stay within it."""
    content = base64.b64encode(svg.encode()).decode()
    return (
        f'<img alt="{escape(told)}" style="max-width: 100%"'
        f' src="data:image/svg+xml;base64,{content}">'
    )


def explained(title: str, parts: Mapping[str, str]) -> str:
    """Texts under their titles, of which the first is open."""
    shown = [
        folded(name, text(content), opened=not number)
        for number, (name, content) in enumerate(parts.items())
        if content
    ]
    return page(title, *shown)


def _cell(value: object) -> str:
    align = "; text-align: right" if isinstance(value, int | float) else ""
    return f'<td style="{_CELL}{align}">{_shown(value)}</td>'


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return escape(str(value))
    return escape(f"{value:,}" if isinstance(value, int) else f"{value:,.6g}")
