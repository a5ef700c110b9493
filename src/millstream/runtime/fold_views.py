"""The views through which a step's statement sees its folds, and how these take items."""

from __future__ import annotations

from dataclasses import dataclass, replace

from millstream.compiler.alike import expected
from millstream.compiler.branch import members_view, readers_view, together_view
from millstream.compiler.fold_statement import FoldStatement
from millstream.compiler.matching import Matching
from millstream.compiler.windows import MEMBER_COLUMNS
from millstream.runtime.arrow_tables import arrow_table
from millstream.runtime.channel_views import ChannelViews, magnitude
from millstream.runtime.fold_tables import FoldTables
from millstream.runtime.step_channels import StepChannels


@dataclass(frozen=True, slots=True)
class _Choice:
    """Whether items are taken together, and what that was chosen for."""

    folds: tuple[int, ...]
    magnitude: int
    groups: int | None
    """How many groups of items are expected if they are taken together; None if they are not."""


class FoldViews:
    """Folds of one session."""

    def __init__(self, views: ChannelViews) -> None:
        self._views = views
        self._choices: dict[str, _Choice] = {}

    def chosen(self, signature: str, statement: FoldStatement, step: StepChannels) -> FoldStatement:
        """The statement in the way that is likely to be cheaper for a step."""
        if not statement.fold.slices.dimensions:
            return statement
        tables = step.of_folds(statement)
        folds = tuple(each.number for each in tables.folds)
        known = self._choices.get(signature)
        # Steps of about the same size take their items in the same way.
        if known is None or (known.folds, known.magnitude) != (folds, magnitude(step.items)):
            known = _Choice(folds, magnitude(step.items), _groups(tables, step))
            self._choices[signature] = known
        return replace(statement, together=known.groups is not None)

    def show(self, signature: str, statement: FoldStatement, step: StepChannels) -> Matching:
        """Make the folds of a statement views; the way in which items find them."""
        tables, items = step.of_folds(statement), step.items
        members = arrow_table(MEMBER_COLUMNS, tables.member_rows())
        self._views.set_table(members_view(signature), members)
        readers = arrow_table(statement.reader_columns, tables.reader_rows())
        self._views.set_table(readers_view(signature), readers)
        if statement.together:
            told = arrow_table(statement.together_columns, [tables.together_row()])
            self._views.set_table(together_view(signature), told)
            items = self._choices[signature].groups or 0
        table = arrow_table(statement.channel_columns, tables.fold_rows())
        return self._views.set_channels(signature, statement, tables.folds, table, items)


def _groups(tables: FoldTables, step: StepChannels) -> int | None:
    """How many groups of items no fold tells apart, if it is likely to pay to find them."""
    dimensions = tables.statement.fold.slices.dimensions
    constants = [each.constants for each in tables.folds]
    reference = tables.statement.reference
    if reference is None or reference not in step.bounds:
        return None
    slices = tables.slices(*step.bounds[reference])
    found = expected(dimensions, constants, step.bounds, step.items, slices)
    return int(found.groups) if found is not None and found.together else None
