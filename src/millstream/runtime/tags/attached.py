"""Tags that somebody attached from outside the source: they wait for the stream's next step."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pyarrow as pa

from millstream.runtime.storage import Storage
from millstream.runtime.tags.intake.tag_rows import ELEMENT_FIELDS, TagRow


class AttachedTags:
    """The tags that wait, each in a file with a number; no number is given twice."""

    def __init__(self, storage: Storage, folder: str) -> None:
        self._storage = storage
        self._folder = f"{folder}/attached"

    def add(self, row: TagRow, taken: int) -> int:
        """Write down a tag; its number, which is above all that steps have taken."""
        last = max([taken, *(_number(name) for name in self._storage.names(self._folder))])
        content = json.dumps(row.named()).encode()
        self._storage.write(f"{self._folder}/{last + 1:012d}.json", content)
        return last + 1

    def waiting(self, taken: int) -> list[int]:
        """The numbers of the tags that no step has taken yet."""
        numbers = map(_number, self._storage.names(self._folder))
        return sorted(each for each in numbers if each > taken)

    def read(self, numbers: Sequence[int], position: int) -> pa.Table:
        """Tags as elements of a stream, all at one position."""
        found = self._found(numbers, position)
        assert found.num_rows == len(numbers), "a tag stays until its step is committed"
        return found

    def still(self, taken: int) -> pa.Table:
        """The tags that no step has taken, but for those that one lets go of at this moment."""
        return self._found(self.waiting(taken), 0)

    def _found(self, numbers: Sequence[int], position: int) -> pa.Table:
        names = (f"{self._folder}/{number:012d}.json" for number in numbers)
        contents = (each for each in map(self._storage.read, names) if each is not None)
        rows = [{**json.loads(each), "position": position} for each in contents]
        return pa.Table.from_pylist(rows, schema=ELEMENT_FIELDS)

    def forget(self, taken: int) -> None:
        """Let go of what steps have taken."""
        for name in self._storage.names(self._folder):
            if _number(name) <= taken:
                self._storage.delete(f"{self._folder}/{name}")


def _number(name: str) -> int:
    return int(name.removesuffix(".json")) if name.endswith(".json") else 0
