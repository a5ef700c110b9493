"""The statement of windows: folds shared by all who ask for the same rows, in several forms."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from millstream.compiler import gaps, output
from millstream.compiler.alike import axis_columns
from millstream.compiler.fold import Fold
from millstream.compiler.forms import Form
from millstream.compiler.lookups import Lookups
from millstream.compiler.order import Order
from millstream.compiler.partials import PartialColumn, merged
from millstream.compiler.step_tags import NO_TAGS, StepTags
from millstream.compiler.window_source import TimeSource
from millstream.compiler.windows import FOLD_COLUMNS, LATE_ROW, READER_COLUMNS, READERS

Columns = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FoldStatement:
    """Windows of items, and all forms in which they are asked for, by signature."""

    fold: Fold
    forms: tuple[tuple[str, Form], ...]
    together: bool = False
    """True where items that no fold tells apart are taken together before folds choose."""

    @property
    def channel_columns(self) -> Columns:
        """The columns of the folds, which are to the items what channels are elsewhere."""
        return (("channel", "INT"), *FOLD_COLUMNS, *self.fold.slices.rows.constants.columns())

    @property
    def reader_columns(self) -> Columns:
        """The columns of the channels that are given windows."""
        constants = {name: type for _, form in self.forms for name, type in form.constants}
        return (*READER_COLUMNS, *sorted(constants.items()))

    @property
    def together_columns(self) -> Columns:
        """The columns of what tells which items are taken together."""
        return (*FOLD_COLUMNS, *axis_columns(len(self.fold.slices.dimensions)))

    @property
    def waits(self) -> bool:
        return True

    @property
    def reference(self) -> str | None:
        source = self.fold.slices.source
        return "/".join(source.reference) if isinstance(source, TimeSource) else None

    @property
    def other_streams(self) -> tuple[str, ...]:
        return ()

    @property
    def lookups(self) -> Lookups:
        return self.fold.slices.rows.lookups()

    @property
    def fold_signature(self) -> str:
        """The same for statements whose folds can be shared."""
        parts = (self.fold.signature, self._form.lateral)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    @property
    def below(self) -> int:
        """How many of a channel's constants choose the rows, before those of its form."""
        return len(self.fold.slices.rows.constants.values)

    @property
    def partials(self) -> tuple[PartialColumn, ...]:
        """The partial aggregates that any form needs."""
        return merged(form.partials for _, form in self.forms)

    def sql(self, *, order: Order, full: bool, tags: StepTags = NO_TAGS) -> str:
        partials = self.partials
        folded = self.fold.sql(partials, disordered=order.late, full=full, together=self.together)
        empty = any(form.empty for _, form in self.forms)
        # A channel that came later than others is given the same windows, from its first one on.
        given = (
            f"({folded}) w JOIN {READERS} c ON c.fold = w.fold AND c.window = w.window AND"
            f" IF(w.k = {LATE_ROW}, w.slice >= c.first_window, w.k < 0 OR w.k >= c.opens)"
        )
        if empty:
            filled = gaps.filled(
                f"SELECT w.*, c.channel, c.empty FROM {given}",
                partials,
                self.fold.slices.contents,
            )
            given = f"({filled}) w JOIN {READERS} c ON c.channel = w.channel"
        laterals = "".join(f" {each}" for each in self._form.lateral)
        kept = self._by_form([" AND ".join(form.where) or "true" for _, form in self.forms])
        select = f"SELECT {self._row(partials)} FROM {given}{laterals} WHERE w.k < 0 OR ({kept})"
        return f"{select} UNION ALL {gaps.remembered()}" if empty and full else select

    @property
    def _form(self) -> Form:
        """One of the forms: they have the loops over contents in common."""
        return self.forms[0][1]

    def _by_form(self, choices: list[str]) -> str:
        """One of several, one for each form, by the form of channel c."""
        if len(set(choices)) == 1:
            return choices[0]
        cases = " ".join(f"WHEN {number} THEN {each}" for number, each in enumerate(choices))
        return f"CASE c.form {cases} END"

    def _row(self, partials: tuple[PartialColumn, ...]) -> str:
        """An output row: a window's result, a row of state, or an item that came late."""
        role, own, values, content = self.fold.state_row(partials, "w")
        result, late = "w.k >= 0", f"w.k = {LATE_ROW}"
        marker = f"w.k = {gaps.EMITTED_ROW}"
        slots = self._by_form([output.array(form.slots) for _, form in self.forms])
        return output.row(
            kind=f"CASE WHEN {result} THEN '{output.RESULTS}' WHEN {late} THEN '{output.LATE}'"
            f" ELSE '{output.STATE}' END",
            role=f"CASE WHEN {result} OR {late} THEN NULL WHEN {marker} THEN '{output.EMITTED}'"
            f" ELSE {role} END",
            channel="c.channel",
            tick=f"IF({result}, w.k * c.step, w.slice)",
            ordering=f"CASE WHEN {result} THEN {output.array(self._form.ordering)}"
            f" WHEN {late} THEN array(w.late) ELSE {own} END",
            values=f"IF({result}, {slots}, {values})",
            content=f"IF({result} OR {late} OR {marker}, NULL, {content})",
        )
