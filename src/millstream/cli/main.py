"""The command line: its commands, and how each kind of failure is told."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import typer

from millstream.cli.bench import bench
from millstream.cli.console import emit_json, say
from millstream.cli.coordinate import coordinate
from millstream.cli.demo import demo
from millstream.cli.explain import explain
from millstream.cli.fragment import fragment
from millstream.cli.generate import generate
from millstream.cli.match import match
from millstream.cli.materialize import materialize
from millstream.cli.peer import peer
from millstream.cli.quarantine import quarantine
from millstream.cli.query import query
from millstream.cli.results import results
from millstream.cli.run import run
from millstream.cli.savings import savings
from millstream.cli.scenario import scenario
from millstream.cli.serve import serve, token
from millstream.cli.shell import shell
from millstream.cli.streams import streams
from millstream.cli.subscriptions import subscriptions
from millstream.cli.tags import tags
from millstream.cli.translate import translate
from millstream.cli.version import version
from millstream.errors import InternalError, MillstreamError, StateError

INTERRUPTED = 130

app = typer.Typer(
    name="millstream",
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Many continuous queries on the same streams, the common work done once.",
)
for command in (
    demo,
    query,
    explain,
    match,
    scenario,
    run,
    coordinate,
    peer,
    shell,
    streams,
    subscriptions,
    savings,
    results,
    quarantine,
    fragment,
    materialize,
    translate,
    serve,
    token,
    bench,
    version,
):
    app.command()(command)
app.add_typer(generate, name="generate")
app.add_typer(tags, name="tags")


@app.callback(invoke_without_command=True)
def overview(context: typer.Context) -> None:
    """Many continuous queries on the same streams, the common work done once."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command of this process and leave with its status."""
    sys.exit(status_of(sys.argv[1:]))


def status_of(arguments: Sequence[str]) -> int:
    """Run a command; 0 done, 1 our fault, 2 the caller's."""
    as_json = "--json" in arguments
    try:
        status: Any = app(args=list(arguments), prog_name="millstream", standalone_mode=False)
        sys.stdout.flush()
    except MillstreamError as error:
        return _report(str(error), error.to_json(), error.exit_status, as_json)
    except typer.TyperException as error:
        return _report_usage(error, as_json)
    except BrokenPipeError:
        return _leave_quietly()
    except Exception as error:
        explained = _explained(error)
        return _report(str(explained), explained.to_json(), explained.exit_status, as_json)
    return status if isinstance(status, int) else 0


def _report(text: str, facts: dict[str, Any], status: int, as_json: bool) -> int:
    say(text)
    if as_json:
        emit_json(facts)
        sys.stdout.flush()
    if os.environ.get("MILLSTREAM_DEBUG") == "1":
        traceback.print_exc()
    return status


def _report_usage(error: typer.TyperException, as_json: bool) -> int:
    message = error.format_message()
    facts = {"error": "usage error", "code": "UsageError", "message": message}
    return _report(f"usage error: {message}", facts, 2, as_json)


def _explained(error: Exception) -> MillstreamError:
    """An exception that nobody explained, in one sentence."""
    sentence = " ".join(str(error).split("\n", 1)[0].split())[:300]
    if "JAVA_GATEWAY_EXITED" in sentence:
        return StateError(
            "Spark did not start: it needs a Java runtime of version 17 or newer",
            code="no-java",
            help="install one, on Debian openjdk-17-jre-headless, or set JAVA_HOME",
        )
    return InternalError(
        f"{type(error).__name__}: {sentence}" if sentence else type(error).__name__,
        code="Unexpected",
        help="this is a fault of Millstream; MILLSTREAM_DEBUG=1 shows where it happened",
    )


def _leave_quietly() -> int:
    # The reader of our output has gone; the flush at exit must not complain about it again.
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    return 0
