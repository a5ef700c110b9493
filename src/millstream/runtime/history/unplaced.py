"""Fillers that no hole is for when a stream has ended: they are set aside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from millstream.model.filler_layout import layouts
from millstream.model.tag_structure import Tag, TagStructure
from millstream.runtime.history.filler_parts import table_name
from millstream.runtime.journal import StreamState
from millstream.runtime.records import Segment
from millstream.runtime.storage import Storage

_Numbers = npt.NDArray[np.int64]


def unplaced(storage: Storage, state: StreamState, structure: TagStructure) -> dict[int, str]:
    """The positions of fillers without a hole, each with the reason."""
    known = layouts(structure)
    holes = _holes(storage, state, known)
    found: dict[int, str] = {}
    for tsid in known:
        tag = structure.tag(tsid)
        if tag is structure.root:
            continue
        fillers = _read(storage, state.tables.get(table_name(tsid), []), ["id", "arrival"])
        ids, arrivals = fillers["id"].to_numpy(), fillers["arrival"].to_numpy()
        lost = ~np.isin(ids, holes.get(tsid, np.empty(0, np.int64)))
        found |= {
            int(arrival): _reason(tag, int(id), structure)
            for id, arrival in zip(ids[lost], arrivals[lost], strict=True)
        }
    return found


def _holes(storage: Storage, state: StreamState, tsids: Iterable[int]) -> dict[int, _Numbers]:
    """The ids of all holes, by tag."""
    ids: list[_Numbers] = []
    tags: list[_Numbers] = []
    for tsid in tsids:
        table = _read(storage, state.tables.get(table_name(tsid), []), ["hole_ids", "hole_tags"])
        ids.append(pc.list_flatten(table["hole_ids"]).to_numpy())
        tags.append(pc.list_flatten(table["hole_tags"]).to_numpy())
    all_ids, all_tags = np.concatenate(ids), np.concatenate(tags)
    return {int(tag): all_ids[all_tags == tag] for tag in np.unique(all_tags)}


def _read(storage: Storage, segments: Sequence[Segment], columns: list[str]) -> pa.Table:
    types = {"id": pa.int64(), "arrival": pa.int64()}
    types |= {"hole_ids": pa.list_(pa.int64()), "hole_tags": pa.list_(pa.int32())}
    schema = pa.schema([(name, types[name]) for name in columns])
    tables = [
        pq.read_table(storage.address(each.name), columns=columns, partitioning=None).cast(schema)
        for each in segments
    ]
    return pa.concat_tables(tables) if tables else schema.empty_table()


def _reason(tag: Tag, id: int, structure: TagStructure) -> str:
    holder = structure.holder(tag.id).name
    return (
        f"no-hole: {tag.type.value} {tag.name} of filler {id} has no hole: "
        f"no {holder} has one with its id"
    )
