"""The arguments that several commands share."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

TextArgument = Annotated[
    str, typer.Argument(metavar="TEXT|@FILE", help="The query, or @ and the file that holds it.")
]
StreamOption = Annotated[
    list[str],
    typer.Option("--stream", metavar="NAME=PATH", help="A stream: a file, a folder or a pattern."),
]
SchemaOption = Annotated[
    list[str] | None,
    typer.Option(
        "--schema", metavar="NAME=FILE", help="A DTD or a tag structure; else a sample decides."
    ),
]
OrderOption = Annotated[
    list[str] | None,
    typer.Option("--order", metavar="NAME=PATH", help="The element that never decreases."),
]
ItemOption = Annotated[
    list[str] | None,
    typer.Option("--item", metavar="NAME=ELEMENT", help="The element that is one item."),
]
KeyOption = Annotated[
    list[str] | None,
    typer.Option("--key", metavar="NAME=PATH", help="The element that no two items have alike."),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME.OPTION=VALUE",
        help="anchor, empty, end, lateness, retention, format, delimiter, max_bytes_per_batch, "
        "max_items_per_batch or type.PATH.",
    ),
]
LanguageOption = Annotated[
    Literal["auto", "xquery", "tagql"],
    typer.Option("--language", help="The language of the text; by default its first word tells."),
]
TaggerOption = Annotated[
    str | None,
    typer.Option("--tagger", metavar="ID", help="Who attaches the tags of the text."),
]
ThesaurusOption = Annotated[
    Path | None,
    typer.Option("--thesaurus", metavar="FILE", help="By what contents of tags mean the same."),
]
NowOption = Annotated[
    str | None,
    typer.Option("--now", metavar="TIME", help="What 'now' means; else the largest time seen."),
]
StrategyOption = Annotated[
    Literal["caq", "qac", "qac+"] | None,
    typer.Option("--strategy", help="How a history is gone through; qac+ unless told otherwise."),
]
FormatOption = Annotated[
    Literal["xml", "json", "table"], typer.Option("--format", help="How results are written.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
SpaceOption = Annotated[
    Path | None,
    typer.Option(
        "--space", metavar="SPACE", help="Ask the histories, or what is live, in a space."
    ),
]
SpaceArgument = Annotated[Path, typer.Argument(metavar="SPACE", help="The folder of a space.")]


def query_text(argument: str) -> str:
    """The text of a query given as itself, as @FILE, or as @- for standard input."""
    if not argument.startswith("@"):
        return argument
    if argument == "@-":
        return sys.stdin.read()
    try:
        return Path(argument[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise typer.BadParameter(f"cannot read the query file '{argument[1:]}': {reason}") from None
