"""Reading statements: from a person at a terminal, or from whatever is piped in."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from prompt_toolkit import PromptSession
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import HTML
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import Output
from prompt_toolkit.validation import ValidationError, Validator

from millstream.errors import MillstreamError
from millstream.shell.commands import COMMANDS, run
from millstream.shell.completion import ShellCompleter
from millstream.shell.session import Session
from millstream.shell.statements import COMMAND, bare, finished, statements, unfinished

Known = TypeVar("Known")
PROMPT, CONTINUED = "millstream> ", "        ... "


def run_script(session: Session, lines: Iterable[str]) -> int:
    """Run all statements that are piped in; the exit status."""
    for statement in statements(lines):
        perform(session, statement)
        if session.over:
            break
    return session.status


def run_prompt(
    session: Session,
    history: Path | None,
    *,
    input: Input | None = None,
    output: Output | None = None,
) -> int:
    """Ask a person for statements until they leave; the exit status."""
    prompt = PromptSession[str](
        PROMPT,
        multiline=True,
        prompt_continuation=CONTINUED,
        history=_history(history),
        completer=completer(session),
        complete_while_typing=False,
        key_bindings=_keys(),
        validator=_Checked(session),
        validate_while_typing=False,
        bottom_toolbar=lambda: _toolbar(prompt.default_buffer.text),
        input=input,
        output=output,
    )
    session.say(f"{session.backend.title}; \\help tells what can be asked")
    while not session.over:
        try:
            perform(session, prompt.prompt())
        except KeyboardInterrupt:
            continue
        except EOFError:
            break
    # Whoever sits at a prompt has seen what went wrong.
    return 0


def perform(session: Session, statement: str) -> None:
    """Run one statement, and tell what goes wrong."""
    try:
        run(session, statement)
    except MillstreamError as error:
        session.fail(error)
    except KeyboardInterrupt:
        session.say("broken off")


def completer(session: Session) -> ShellCompleter:
    """Completion from what the mill of a session knows."""
    backend = session.backend
    return ShellCompleter(
        {name: each.completes for name, each in COMMANDS.items()},
        lambda: _unless_failing(backend.shapes),
        lambda: _unless_failing(backend.contents),
        lambda: tuple(str(each["name"]) for each in _unless_failing(backend.subscriptions)),
    )


def _unless_failing(known: Callable[[], Sequence[Known]]) -> tuple[Known, ...]:
    """What is known; nothing while it cannot be asked, as nobody has asked for an answer yet."""
    try:
        return tuple(known())
    except MillstreamError:
        return ()


def default_history() -> Path:
    """Where the statements of a person are kept."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "millstream" / "shell-history"


def _history(place: Path | None) -> History:
    if place is None:
        return InMemoryHistory()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch(mode=0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(place)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        at_end = not buffer.document.text_after_cursor.strip()
        if at_end and finished(f"{buffer.text}\n"):
            buffer.validate_and_handle()
        else:
            buffer.newline()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    return keys


class _Checked(Validator):
    """Keeps a query that is wrong at the prompt, with the cursor where it is wrong."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def validate(self, document: Document) -> None:
        text = bare(document.text)
        if not text or COMMAND.match(document.text):
            return
        try:
            self._session.backend.check(text)
        except MillstreamError as error:
            before = len(document.text) - len(document.text.lstrip())
            place = len(text) if error.span is None else error.span.start
            help = f" ({error.help})" if error.help else ""
            raise ValidationError(before + place, f"{error.message}{help}") from None


def _toolbar(text: str) -> HTML:
    lacking = None if COMMAND.match(text) else unfinished(text)
    said = lacking or "Enter twice or ; runs · Tab completes · Ctrl-D leaves"
    return HTML(html.escape(said))
