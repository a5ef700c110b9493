"""millstream bench"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from millstream.cli.arguments import JsonOption
from millstream.cli.console import emit_json, show
from millstream.errors import InternalError, StateError, did_you_mean


def bench(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A file of bench/, without .py.")],
    quick: Annotated[bool, typer.Option("--quick", help="Smaller and once.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run an experiment of a checkout's bench folder."""
    experiment = load(experiment_file(name))
    facts = experiment.measure(quick=quick)
    if as_json:
        emit_json(facts)
    else:
        show(experiment.table(facts))


def experiment_file(name: str) -> Path:
    """The file of an experiment, found from the current folder or from this checkout."""
    folders = [folder for folder in _bench_folders() if folder.is_dir()]
    if not folders:
        raise StateError(
            "there is no bench folder here", help="run this in a checkout of Millstream"
        )
    known = [path.stem for path in folders[0].glob("*.py") if not path.stem.startswith("_")]
    if name not in known:
        raise StateError(f"no experiment is named '{name}'", help=did_you_mean(name, known))
    return folders[0] / f"{name}.py"


def _bench_folders() -> Iterator[Path]:
    here = Path.cwd()
    for folder in (here, *here.parents, *Path(__file__).resolve().parents):
        if (folder / "src" / "millstream").is_dir():
            yield folder / "bench"


def load(path: Path) -> ModuleType:
    """The module of an experiment, which offers measure(quick) and table(facts)."""
    spec = importlib.util.spec_from_file_location(f"bench_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InternalError(f"cannot load '{path}'")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name while it is being loaded.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
