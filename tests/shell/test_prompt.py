"""A person at the prompt, and scripts."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from prompt_toolkit.formatted_text import HTML
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from millstream.shell import loop
from millstream.shell.loop import run_prompt, run_script
from millstream.shell.session import Session
from tests.shell.fake_backend import FakeBackend

QUERY = 'stream("readings")/readings/reading'


@dataclass
class Later:
    """Keys that are typed when something has happened."""

    happened: threading.Event
    keys: str

    def send(self, type: Callable[[str], None]) -> None:
        self.happened.wait(60)
        type(self.keys)


class Sitting:
    """A session whose words are kept."""

    def __init__(self) -> None:
        self.backend = FakeBackend()
        self.out, self.err = io.StringIO(), io.StringIO()
        self.session = Session(self.backend, self.out, self.err)

    def typed(
        self, keys: str, history: Path | None = None, *, more: Later | None = None
    ) -> Sitting:
        """Type keys, and when something has happened more of them."""
        with create_pipe_input() as input:
            input.send_text(keys)
            if more is not None:
                threading.Thread(target=more.send, args=[input.send_text], daemon=True).start()
            run_prompt(self.session, history, input=input, output=DummyOutput())
        return self

    def piped(self, script: str) -> int:
        return run_script(self.session, script.splitlines(keepends=True))

    @property
    def asked(self) -> list[tuple[object, ...]]:
        return self.backend.asked


def test_query_over_several_lines() -> None:
    sitting = Sitting().typed(f"for $r in {QUERY}\rreturn $r;\r\\quit\r")
    assert sitting.asked == [("ask", f"for $r in {QUERY}\nreturn $r", None, 20)]
    assert "│ 1 │" in sitting.out.getvalue() and "2 results" in sitting.err.getvalue()


def test_empty_line_runs_what_is_whole() -> None:
    assert Sitting().typed(f"{QUERY}\r\r\\q\r").asked == [("ask", QUERY, None, 20)]


def test_mistake_stays_at_the_prompt_with_the_cursor_at_its_place() -> None:
    # The cursor stands on 'levl': four deletions and the right word mend it.
    keys = f"{QUERY}/levl;\r" + "\x1b[3~" * 4 + "level" + "\x05\r\\quit\r"
    assert Sitting().typed(keys).asked == [("ask", f"{QUERY}/level", None, 20)]


def test_tab_completes(monkeypatch: pytest.MonkeyPatch) -> None:
    completed = threading.Event()
    toolbar = loop._toolbar

    def watched(text: str) -> HTML:
        if text == f"{QUERY}/level":
            completed.set()
        return toolbar(text)

    monkeypatch.setattr(loop, "_toolbar", watched)
    sitting = Sitting().typed(f"{QUERY}/lev\t", more=Later(completed, ";\r\\quit\r"))
    assert sitting.asked == [("ask", f"{QUERY}/level", None, 20)]


def test_history_is_kept_and_asked_again(tmp_path: Path) -> None:
    place = tmp_path / "below" / "history"
    Sitting().typed(f"{QUERY};\r\\quit\r", history=place)
    assert QUERY in place.read_text()
    again = Sitting().typed("\x1b[A\x1b[A\r\\quit\r", history=place)
    assert again.asked == [("ask", QUERY, None, 20)]


def test_end_of_input_leaves() -> None:
    assert Sitting().typed("\x04").asked == []


def test_script_goes_on_after_an_error_and_tells_it_at_its_place() -> None:
    sitting = Sitting()
    status = sitting.piped(f"{QUERY}/levl;\n\\nothing\n{QUERY}/level;\n")
    assert status == 2
    assert f"  1 | {QUERY}/levl\n    | {' ' * 36}^^^^" in sitting.err.getvalue()
    assert "there is no command \\nothing" in sitting.err.getvalue()
    assert sitting.asked == [("ask", f"{QUERY}/level", None, 20)]


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        (
            "\\subscribe high SELECT * FROM readings;",
            ("subscribe", "SELECT * FROM readings", "high"),
        ),
        ("ATTACH TAG 'x' TO readings;", ("subscribe", "ATTACH TAG 'x' TO readings", None)),
        ("\\cancel high", ("cancel", "high")),
        ("\\results high 5", ("results", "high", 5)),
        ("\\run 3", ("turn", 3.0)),
        ("\\stream w w.xml order_by=minute", ("create", "w", "w.xml", {"order_by": "minute"})),
        (
            '\\attach readings "very high" sign=-',
            ("attach", "readings", "very high", {"sign": "-"}),
        ),
    ],
)
def test_command_asks(command: str, asked: tuple[object, ...]) -> None:
    sitting = Sitting()
    assert sitting.piped(command + "\n") == 0
    assert sitting.asked == [asked]


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("\\streams", "1,234"),
        ("\\subscriptions", "high"),
        ("\\paths readings", "/readings/reading/place/name"),
        ("\\cloud readings", "rushing"),
        ("\\quarantine readings", "no number"),
        ("\\costs high", "SP0 0.25"),
        ("\\savings", "items parsed"),
        ("\\explain high", "Scan for the text of high"),
        ("\\explain SELECT * FROM readings", "Scan for SELECT * FROM readings"),
        ("\\help", "\\subscribe NAME [QUERY]"),
    ],
)
def test_command_shows(command: str, shown: str) -> None:
    sitting = Sitting()
    assert sitting.piped(command + "\n") == 0
    assert shown in sitting.out.getvalue()


def test_last_query_is_kept_under_a_name() -> None:
    sitting = Sitting()
    sitting.piped(f"{QUERY};\n\\subscribe high\n\\explain\n")
    assert sitting.asked[1:] == [("subscribe", QUERY, "high")]
    assert f"Scan for {QUERY}" in sitting.out.getvalue()


def test_formats_and_rows(tmp_path: Path) -> None:
    sitting = Sitting()
    (tmp_path / "more").write_text(f"{QUERY};\n")
    sitting.piped(f"\\format xml\n\\rows 1\n{QUERY};\n\\format json\n\\read {tmp_path}/more\n")
    assert sitting.out.getvalue() == '<a><x>2</x></a>\n{"item": "<a><x>2</x></a>"}\n'
    assert "after 1 that are not shown" in sitting.err.getvalue()


@pytest.mark.parametrize("command", ["\\rows no", "\\format what", "\\now when", "\\read /no/file"])
def test_wrong_argument_is_told(command: str) -> None:
    sitting = Sitting()
    assert sitting.piped(command + "\n") == 2
    assert sitting.err.getvalue().startswith("query error: ")
