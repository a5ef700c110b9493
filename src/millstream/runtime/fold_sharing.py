"""What a branch with windows shares with others, told to people."""

from __future__ import annotations

from dataclasses import dataclass

from millstream.compiler.branch import Branch
from millstream.compiler.fold_statement import FoldStatement
from millstream.model.slices import Cut, cuts_of
from millstream.model.window import WindowKind
from millstream.runtime.journal import StreamState
from millstream.runtime.records import ChannelRecord, FoldRecord


@dataclass(frozen=True, slots=True)
class FoldSharing:
    """The slices from which a branch would have its windows."""

    others: int
    """How many channels have theirs from them already."""
    cuts: tuple[Cut, ...]
    """Where they are cut, for all of these; none where each element is kept."""
    alike: tuple[str, ...]
    """The paths by which items that nobody tells apart may be taken together."""

    def __str__(self) -> str:
        shared = "of its own" if not self.others else f"shared with {_channels(self.others)}"
        kind = f"slices {shared}" if self.cuts else f"elements {shared}"
        edges = f", cut at {_listed([str(each) for each in self.cuts])}" if self.cuts else ""
        if not self.alike:
            return f"windows from {kind}{edges}"
        alike = f"; items alike in {_listed(self.alike)} are taken together where that pays"
        return f"windows from {kind}{edges}{alike}"


def fold_sharing(state: StreamState, stream: str, branch: Branch) -> FoldSharing | None:
    """What a new subscription with a branch would share on a stream; None without windows."""
    statement, window = branch.statements.get(stream), branch.window
    if not isinstance(statement, FoldStatement) or window is None:
        return None
    others = _readers(state, statement, branch)
    windows = [(each.size, each.step) for each in others if each.size and each.step]
    slices = statement.fold.slices
    cuts = cuts_of([*windows, (window.size, window.step)]) if slices.cut else ()
    return FoldSharing(len(others), cuts, tuple(each.path for each in slices.dimensions))


def _readers(
    state: StreamState, statement: FoldStatement, branch: Branch
) -> tuple[ChannelRecord, ...]:
    """The channels that read the fold which a branch would read."""
    counted = branch.window is not None and branch.window.kind is WindowKind.COUNT
    if counted and state.items:
        # Item windows count from registration.
        return ()
    constants = branch.constants[: statement.below]
    wanted = FoldRecord(0, statement.fold_signature, constants).key()
    folds = {number for number, each in state.folds.items() if each.key() == wanted}
    return tuple(each for each in state.channels.values() if each.fold in folds)


def _channels(number: int) -> str:
    return "1 channel" if number == 1 else f"{number} channels"


def _listed(texts: list[str] | tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))
