"""What all tests of the intake share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runtime.intake.driving import Intake


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_disks() -> Iterator[None]:
    """No test pulls the plug, so none needs to wait until a disk has all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture
def intake(tmp_path: Path) -> Intake:
    """An intake over an empty directory."""
    return Intake(tmp_path)
