"""The commands of the shell: words behind a backslash."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from millstream.errors import QueryError, did_you_mean
from millstream.model.values import parse_instant
from millstream.rendering.tables import table_of
from millstream.shell.session import FORMATS, Session
from millstream.shell.statements import COMMAND, bare, statements

Run = Callable[[Session, str], None]


@dataclass(frozen=True, slots=True)
class Command:
    """What can be asked for with a backslash."""

    name: str
    usage: str
    """What follows the name."""
    help: str
    run: Run
    completes: str = ""
    """What its first word is: a stream, a subscription, or nothing that is known."""


def run(session: Session, statement: str) -> None:
    """Do what a statement asks for: a command, or a query."""
    command = COMMAND.match(statement)
    if command is None:
        query = bare(statement)
        if query:
            session.ask(query)
        return
    name = command["name"]
    found = COMMANDS.get(name)
    if found is None:
        raise QueryError(
            f"there is no command \\{name}", code="command", help=did_you_mean(name, COMMANDS)
        )
    found.run(session, bare(command["rest"]))


def _help(session: Session, rest: str) -> None:
    listed = dict.fromkeys(COMMANDS.values())
    rows = [(f"\\{each.name} {each.usage}".rstrip(), each.help) for each in listed]
    session.show(table_of(("command", "what it does"), rows))
    session.write(
        "Anything else is a query, in WXQuery, XCQL or TAG-QL; it ends with ; or an empty line."
    )


def _quit(session: Session, rest: str) -> None:
    session.over = True


def _streams(session: Session, rest: str) -> None:
    session.facts(session.backend.streams(), "there are no streams yet: \\stream makes one")


def _stream(session: Session, rest: str) -> None:
    name, source, *options = _words(rest, 2, "\\stream NAME SOURCE [OPTION=VALUE …]")
    for note in session.backend.create(name, source, _options(options)):
        session.say(f"{name}: {note}")
    session.say(f"stream '{name}' is made")


def _paths(session: Session, rest: str) -> None:
    (name,) = _words(rest, 1, "\\paths STREAM")[:1]
    shapes = {each.name: each for each in session.backend.shapes()}
    if name not in shapes:
        raise QueryError(f"there is no stream '{name}'", help=did_you_mean(name, shapes))
    for path in shapes[name].paths:
        session.write("/" + "/".join(path))


def _subscriptions(session: Session, rest: str) -> None:
    session.facts(session.backend.subscriptions(), "there are no subscriptions yet")


def _subscribe(session: Session, rest: str) -> None:
    name, _, text = rest.partition(" ") if rest[:1] not in ("<", "") else ("", "", rest)
    query = text.strip() or session.last
    if not name or not query:
        raise QueryError("a subscription needs a name and a query", help="\\subscribe NAME QUERY")
    registered = session.backend.subscribe(query, name)
    session.say(f"registered as {registered}; \\results {registered} shows what came")


def _cancel(session: Session, rest: str) -> None:
    (name,) = _words(rest, 1, "\\cancel NAME")[:1]
    session.backend.cancel(name)
    session.say(f"{name} ends with the next step")


def _results(session: Session, rest: str) -> None:
    name, *more = _words(rest, 1, "\\results NAME [HOW-MANY]")
    most = _whole(more[0], "\\results NAME [HOW-MANY]") if more else session.rows
    session.results(session.backend.results(name, most))


def _explain(session: Session, rest: str) -> None:
    text = rest or session.last
    if not text:
        raise QueryError("there is nothing to explain yet", help="\\explain QUERY")
    known = session.backend.text_of(text) if text.isidentifier() else None
    for title, part in session.backend.explain(known or text).items():
        session.write(f"{title}\n{_indented(part)}\n")


def _costs(session: Session, rest: str) -> None:
    (name,) = _words(rest, 1, "\\costs NAME")[:1]
    _pairs(session, session.backend.costs(name))


def _savings(session: Session, rest: str) -> None:
    _pairs(session, session.backend.savings())


def _tags(session: Session, rest: str) -> None:
    (name,) = _words(rest, 1, "\\tags STREAM")[:1]
    session.facts(session.backend.tags(name), f"no tags are on what comes next on {name}")


def _cloud(session: Session, rest: str) -> None:
    (name,) = _words(rest, 1, "\\cloud STREAM")[:1]
    session.facts(session.backend.cloud(name), f"nothing on {name} has been tagged yet")


def _attach(session: Session, rest: str) -> None:
    stream, content, *options = _words(rest, 2, '\\attach STREAM "CONTENT" [OPTION=VALUE …]')
    where = session.backend.attach(stream, content, _options(options))
    session.say(f"'{content}' waits for the next step of {stream}, on {where}")


def _quarantine(session: Session, rest: str) -> None:
    (name,) = _words(rest, 1, "\\quarantine STREAM")[:1]
    session.facts(session.backend.quarantine(name), f"nothing of {name} was set aside")


def _run(session: Session, rest: str) -> None:
    seconds = float(_whole(rest, "\\run [SECONDS]")) if rest else None
    session.say(session.backend.turn(seconds))


def _format(session: Session, rest: str) -> None:
    for each in FORMATS:
        if each == rest:
            session.format = each
            return
    raise QueryError(f"'{rest}' is no format", help=f"known: {', '.join(FORMATS)}")


def _rows(session: Session, rest: str) -> None:
    session.rows = _whole(rest, "\\rows HOW-MANY")


def _now(session: Session, rest: str) -> None:
    try:
        session.now = None if rest in ("", "now") else parse_instant(rest)
    except ValueError:
        raise QueryError(f"'{rest}' is no instant", help="\\now 2003-11-01T12:00:00") from None


def _read(session: Session, rest: str) -> None:
    (name,) = _words(rest, 1, "\\read FILE")[:1]
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines(keepends=True)
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"cannot read '{name}': {error}", code="file") from None
    for statement in statements(lines):
        run(session, statement)


def _words(rest: str, least: int, usage: str) -> list[str]:
    try:
        words = shlex.split(rest)
    except ValueError:
        words = []
    if len(words) < least:
        raise QueryError("something is missing here", code="command", help=usage)
    return words


def _options(words: list[str]) -> dict[str, str]:
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise QueryError(f"'{word}' is not OPTION=VALUE", code="command")
        found[name] = value
    return found


def _whole(text: str, usage: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise QueryError(f"'{text}' is not a whole number above 0", code="command", help=usage)
    return int(text)


def _pairs(session: Session, facts: Mapping[str, object]) -> None:
    rows = [(name.replace("_", " "), _plain(value)) for name, value in facts.items()]
    session.show(table_of(("what", "value"), rows))


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(each)}" for key, each in value.items())
    return value


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


_ALL = (
    Command("help", "", "this list", _help),
    Command("streams", "", "the streams, and what has flowed on them", _streams),
    Command("paths", "STREAM", "what can be written about a stream", _paths, "stream"),
    Command("stream", "NAME SOURCE [order_by=PATH …]", "make a stream of files", _stream),
    Command("subscriptions", "", "the subscriptions", _subscriptions),
    Command("subscribe", "NAME [QUERY]", "register a query, or the one asked last", _subscribe),
    Command("results", "NAME [HOW-MANY]", "what a subscription received", _results, "subscription"),
    Command("cancel", "NAME", "end a subscription", _cancel, "subscription"),
    Command("explain", "[QUERY|NAME]", "how a query is answered; else the last one", _explain),
    Command("costs", "NAME", "what a subscription costs", _costs, "subscription"),
    Command("savings", "", "what sharing saves", _savings),
    Command("tags", "STREAM", "the tags that can be on what comes next", _tags, "stream"),
    Command("cloud", "STREAM", "what tags say, the most frequent first", _cloud, "stream"),
    Command("attach", "STREAM CONTENT [lifespan=TIME …]", "attach a tag", _attach, "stream"),
    Command("quarantine", "STREAM", "what was set aside, and why", _quarantine, "stream"),
    Command("run", "[SECONDS]", "read what the sources hold, or for a while", _run),
    Command("now", "[INSTANT]", "the instant at which histories are asked", _now),
    Command("format", "table|xml|json", "how results are shown", _format),
    Command("rows", "HOW-MANY", "how many results are shown at most", _rows),
    Command("read", "FILE", "run the statements of a file", _read),
    Command("quit", "", "leave", _quit),
)
COMMANDS: Mapping[str, Command] = {
    **{each.name: each for each in _ALL},
    "q": _ALL[-1],
    "?": _ALL[0],
}
