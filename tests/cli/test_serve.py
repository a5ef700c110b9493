"""Serving from the command line: what is refused before anything is begun."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from millstream.cli.main import status_of
from millstream.service.access import digest


def test_token_is_told_once_and_its_entry_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["token", "ada", "--right", "create"]) == 0
    told = capsys.readouterr()
    entry = tomllib.loads(told.out)["identity"][0]
    token = told.err.split()[-1]
    assert (entry["name"], entry["rights"]) == ("ada", ["create"])
    assert entry["sha256"] == digest(token)
    assert token not in told.out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["token", "a b"], "no name for an identity"),
        (["token", "ada", "--right", "all"], "is no right"),
        (["serve", "SPACE", "--host", "0.0.0.0", "--port", "0"], "say who may come in"),
        (["serve", "SPACE", "--tokens", "nowhere.toml"], "cannot read 'nowhere.toml'"),
        (["serve", "SPACE", "--certificate", "mill.pem"], "go together"),
        (["serve", "SPACE", "--host", "256.1.1.1", "--tokens", "TOKENS"], "cannot listen"),
    ],
)
def test_refusals_are_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(f'[[identity]]\nname = "ada"\nsha256 = "{digest("x")}"\n')
    places = {"SPACE": str(tmp_path / "space"), "TOKENS": str(tokens)}
    assert status_of([places.get(each, each) for each in arguments]) == 2
    assert reason in capsys.readouterr().err


def test_port_that_is_taken_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert status_of(["serve", str(tmp_path / "space"), "--port", port]) == 2
    assert f"cannot listen at 127.0.0.1 port {port}" in capsys.readouterr().err
