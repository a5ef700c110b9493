"""What a contender is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from boxes import Box, load


@dataclass(frozen=True, slots=True)
class Task:
    """Photons in files, boxes that are asked for, and a folder for what is made of them."""

    photons: Path
    boxes_file: Path
    folder: Path
    batches: int
    """Into so many batches the files are cut, as if they came one after the other."""

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Self:
        paths = {name: Path(content[name]) for name in ("photons", "boxes_file", "folder")}
        return cls(**paths, batches=content["batches"])

    @property
    def boxes(self) -> list[Box]:
        return load(self.boxes_file)

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def checkpoint(self) -> Path:
        return self.folder / "checkpoint"

    @property
    def files_per_batch(self) -> int:
        return max(1, len(list(self.photons.iterdir())) // self.batches)

    @property
    def bytes_per_batch(self) -> int:
        return sum(each.stat().st_size for each in self.photons.iterdir()) // self.batches + 100_000
