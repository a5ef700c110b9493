"""Every command that a document shows is one that exists, with arguments it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from millstream.cli.main import app
from tests.docs.documents import ROOT, blocks, commands, documents

SHELL = ("sh", "bash", "shell", "console")
OF_THE_SYSTEM = ("cd", "cat", "git", "curl", "jq", "head", "ls", "mkdir", "for", "done", "wait")


def shown_commands() -> Iterator[Any]:
    for document in documents():
        for block in blocks(document.read_text(encoding="utf-8")):
            if block.language in SHELL:
                for words in commands(block.content):
                    yield pytest.param(words, id=f"{document.name}: {' '.join(words)[:50]}")


@pytest.mark.parametrize("words", list(shown_commands()))
def test_shown_command_is_understood(words: list[str]) -> None:
    program, *arguments = words
    if program == "make":
        assert set(arguments) <= make_targets()
    elif program.endswith("millstream"):
        check(arguments)
    else:
        assert program in OF_THE_SYSTEM or program == ".ci/run"


def test_wrong_command_is_found() -> None:
    with pytest.raises(typer.TyperException):
        check(["query", "text", "--straem", "a=b"])


def check(arguments: list[str]) -> None:
    """Parse arguments as the command line does, and do nothing with them."""
    command = typer.main.get_command(app)
    _disarm(command)
    command.main(args=_plain(arguments), prog_name="millstream", standalone_mode=False)


def _disarm(command: Any) -> None:
    command.callback = None
    for each in getattr(command, "commands", {}).values():
        _disarm(each)


def _plain(arguments: list[str]) -> list[str]:
    """The arguments before a pipe or a redirection."""
    ends = [
        index for index, word in enumerate(arguments) if word in ("|", ">", ">>", "2>", "<", "&")
    ]
    return arguments[: ends[0]] if ends else arguments


def make_targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
