"""Errors that come back through the engine."""

from __future__ import annotations

from millstream.errors import StateError
from millstream.runtime.intake.failure import raised_in_worker

TRACEBACK = """[STREAM_FAILED] Query failed: Traceback (most recent call last):
  File "source.py", line 112, in latestOffset
    raise StateError(
millstream.errors.StateError: state error: line 3 of the journal is damaged
help: restore the space from a copy
 SQLSTATE: 38000
"""


def test_an_error_of_ours_is_found_in_a_traceback() -> None:
    error = raised_in_worker(TRACEBACK)
    assert isinstance(error, StateError)
    assert error.message == "line 3 of the journal is damaged"
    assert error.help == "restore the space from a copy"


def test_an_error_of_others_is_not() -> None:
    assert raised_in_worker("ValueError: state error: no") is None
    assert raised_in_worker("millstream.errors.Span: state error: no") is None
