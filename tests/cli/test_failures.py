"""How each kind of failure is told, and with which status."""

from __future__ import annotations

import json

import pytest

from millstream.errors import InternalError, QueryError, Span
from tests.cli.conftest import Call
from tests.cli.fake_door import FakeMill

ARGUMENTS = ("query", "for $p in", "--stream", "photons=p.xml")

pytestmark = pytest.mark.usefixtures("folder")


def test_query_error_is_the_callers_fault(call: Call, mill: FakeMill) -> None:
    mill.failure = QueryError("unexpected end", span=Span(8, 9), text="for $p in", help="go on")
    outcome = call(*ARGUMENTS)
    assert outcome.status == 2
    assert outcome.stdout == ""
    assert (
        "query error: unexpected end\n  1 | for $p in\n    |         ^\nhelp: go on"
        in outcome.stderr
    )


def test_query_error_is_also_json(call: Call, mill: FakeMill) -> None:
    mill.failure = QueryError("unexpected end", span=Span(8, 9), text="for $p in")
    outcome = call(*ARGUMENTS, "--json")
    facts = json.loads(outcome.stdout)
    assert (facts["error"], facts["line"], facts["column"]) == ("query error", 1, 9)
    assert "query error" in outcome.stderr


def test_internal_error_is_our_fault(call: Call, mill: FakeMill) -> None:
    mill.failure = InternalError("the plan has no root")
    assert call(*ARGUMENTS).status == 1


def test_unexpected_exception_is_one_sentence(call: Call, mill: FakeMill) -> None:
    mill.failure = ZeroDivisionError("division by zero\nat line 5")
    outcome = call(*ARGUMENTS)
    assert outcome.status == 1
    assert "internal error: ZeroDivisionError: division by zero\n" in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_missing_java_is_named(call: Call, mill: FakeMill) -> None:
    mill.failure = RuntimeError("[JAVA_GATEWAY_EXITED] Java gateway process exited")
    outcome = call(*ARGUMENTS)
    assert outcome.status == 2
    assert "needs a Java runtime of version 17" in outcome.stderr


def test_debug_shows_the_traceback(
    call: Call, mill: FakeMill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MILLSTREAM_DEBUG", "1")
    mill.failure = ZeroDivisionError("division by zero")
    assert "Traceback" in call(*ARGUMENTS).stderr


def test_usage_error_is_also_json(call: Call) -> None:
    outcome = call("query", "--json")
    assert outcome.status == 2
    assert json.loads(outcome.stdout)["error"] == "usage error"


def test_unknown_command_is_the_callers_fault(call: Call) -> None:
    outcome = call("grind")
    assert outcome.status == 2
    assert "grind" in outcome.stderr


def test_no_command_shows_help(call: Call) -> None:
    outcome = call()
    assert outcome.status == 0
    assert "subscriptions" in outcome.stdout


def test_interrupt_is_told_by_status(call: Call, mill: FakeMill) -> None:
    mill.failure = KeyboardInterrupt()
    assert call(*ARGUMENTS).status == 130
