"""Files of Python whose functions queries over histories may call."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Annotated

import typer

from millstream.errors import MillstreamError, SchemaError

FunctionsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--functions",
        metavar="FILE",
        help="Python that registers functions for queries over histories: @millstream.function.",
    ),
]


def register_files(files: list[Path] | tuple[Path, ...] | None) -> None:
    """Run files of Python, which register functions."""
    for file in files or ():
        try:
            runpy.run_path(str(file))
        except MillstreamError:
            raise
        except OSError as error:
            raise SchemaError(f"cannot read '{file}': {error.strerror}") from None
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise SchemaError(f"'{file}' failed: {reason}", code="function") from error
