"""Reading a scenario: from a file, or by the name of one that comes with Millstream."""

from __future__ import annotations

import os
from pathlib import Path

from millstream.errors import SchemaError, did_you_mean
from millstream.scenarios.scenario import Scenario
from millstream.scenarios.scenario_file import ScenarioFile
from millstream.scenarios.toml_file import read_toml
from millstream.scenarios.xml_file import read_xml

FILES = Path(__file__).parent / "files"
ENDINGS = (".toml", ".xml")


def scenario(name_or_path: str | os.PathLike[str]) -> Scenario:
    """The scenario of a file, or of a name that `shipped` lists."""
    path = Path(name_or_path)
    if path.is_file():
        return read_scenario(path)
    known = _shipped_files()
    name = os.fspath(name_or_path)
    if name in known:
        return read_scenario(known[name])
    raise SchemaError(
        f"there is no scenario '{name}': neither a file nor one that comes with Millstream",
        code="unknown-scenario",
        help=did_you_mean(path.stem, known),
    )


def shipped() -> tuple[str, ...]:
    """The names of the scenarios that come with Millstream."""
    return tuple(_shipped_files())


def read_scenario(path: Path) -> Scenario:
    """The scenario of a file; XML begins with '<', all else is TOML."""
    try:
        file = ScenarioFile(path, path.read_bytes())
    except OSError as error:
        raise SchemaError(f"cannot read '{path}': {error.strerror}", code="scenario") from None
    is_xml = file.content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
    return read_xml(file) if is_xml else read_toml(file)


def _shipped_files() -> dict[str, Path]:
    return {path.stem: path for path in sorted(FILES.iterdir()) if path.suffix in ENDINGS}
