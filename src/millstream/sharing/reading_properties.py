"""The properties of a query, read from its algebra."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from millstream.algebra.expressions import Call, Expression, PathTo
from millstream.algebra.functions import FUNCTIONS
from millstream.algebra.operators import (
    AggregateFunction,
    Aggregation,
    Construct,
    Join,
    Operator,
    Query,
    Scan,
    Select,
    Unnest,
    Window,
    scans,
)
from millstream.algebra.show import show
from millstream.algebra.walk import (
    conjoin,
    conjuncts,
    expressions,
    free_variables,
    inputs,
    rename,
)
from millstream.algebra.walk import subexpressions as parts_of
from millstream.errors import QueryError
from millstream.model.window import EndRule
from millstream.sharing.element_paths import ITSELF, NOWHERE, ElementUse, Origins
from millstream.sharing.predicates import (
    Predicate,
    Resolve,
    Variable,
    item_resolver,
    predicate_of,
)
from millstream.sharing.properties import (
    ALWAYS,
    ITEM,
    AggregateOf,
    Input,
    Properties,
    UserFunction,
    WindowProperties,
)


def properties_of(
    query: Query,
    *,
    end: EndRule | None = None,
    empty: bool = False,
    deterministic: Iterable[str] = (),
) -> Properties:
    """What a query asks of its streams; an error if a condition of it can never hold.

    `end` and `empty` are the subscription's choices about windows; `deterministic` names the
    functions outside the library that give the same result whenever they are given the same.
    """
    sure = frozenset(deterministic)
    return Properties(
        tuple(
            _Reading(scan, end, empty, sure).read(branch)
            for branch in query.branches
            for scan in scans(branch.input)
        )
    )


@dataclass(slots=True)
class _Reading:
    """Reads what one scan of a branch is asked, from the scan up to the template."""

    scan: Scan
    end: EndRule | None
    empty: bool
    deterministic: frozenset[str]
    selected: list[Expression] = field(default_factory=list)
    filtered: list[Expression] = field(default_factory=list)
    window: Window | None = None
    known: dict[str, Origins] = field(default_factory=dict)
    gone_through: list[Origins] = field(default_factory=list)
    alone: bool = True
    """True while each row is one item of this scan."""
    joined: bool = False

    def read(self, branch: Construct) -> Input:
        use = ElementUse(self.scan.schema)
        self.known = {self.scan.variable: ITSELF}
        for operator in _upwards(branch.input, self.scan):
            self._pass(operator, use)
        use.note(branch.template, self.known, text=False)
        for places in self.gone_through:
            use.exist(places)
        output = frozenset(use.paths)
        for condition in self.selected:
            use.note(condition, {self.scan.variable: ITSELF})
        schema = self.scan.schema
        selection = self._predicate(self._item(self.selected), item_resolver(ITEM, schema))
        return Input(
            self.scan.stream,
            schema,
            selection,
            referenced=frozenset(use.paths),
            output=output,
            window=self._window_properties(),
            functions=tuple(self._functions((*self.selected, *self.filtered))),
        )

    def _pass(self, operator: Operator, use: ElementUse) -> None:
        match operator:
            case Select():
                self._conditions(operator.predicate, use)
            case Join():
                self.alone = False
                self.joined = True
                self._conditions(operator.predicate, use)
            case Unnest(_, variable, source, _):
                self.alone = False
                self.known[variable] = use.origins(source, self.known)
                self.gone_through.append(self.known[variable])
            case Window():
                self._open(operator, use)
            case Scan():
                pass
            case _:
                # What tags do to tuples is nobody else's: only what is read of items is told.
                self.alone = False
                self.joined = True
                for each in expressions(operator):
                    use.note(each, self.known)

    def _conditions(self, predicate: Expression, use: ElementUse) -> None:
        for each in conjuncts(predicate):
            variables = free_variables(each)
            if self.window is None and variables <= {self.scan.variable}:
                self.selected.append(each)
                continue
            if self.window is not None and variables <= _names(self.window.aggregations):
                self.filtered.append(each)
            use.note(each, self.known)

    def _open(self, window: Window, use: ElementUse) -> None:
        """A window holds nodes of one variable; nothing else of its input is known above it."""
        node = window.input.bindings[-1].variable
        self.known = {window.variable: self.known.get(node, NOWHERE)}
        for aggregation in window.aggregations:
            if not _counts_items(aggregation):
                use.note(aggregation.source, self.known)
        for place in self.known[window.variable]:
            if window.spec.reference:
                use.add((*place, *window.spec.reference), text=True)
        self.window = window if self.alone else None
        self.alone = False

    def _window_properties(self) -> WindowProperties | None:
        window = self.window
        if window is None or self.joined:
            return None
        aggregates = {each.variable: _aggregate(each) for each in window.aggregations}
        names = {variable: each.name for variable, each in aggregates.items()}
        condition = rename(conjoin(self.filtered), names) if self.filtered else None
        types = {each.name: each.type for each in aggregates.values()}

        def resolve(path: PathTo) -> Variable | None:
            kind = types.get(path.variable)
            return None if kind is None or path.steps else Variable(path.variable, kind)

        return WindowProperties(
            spec=window.spec,
            aggregates=frozenset(aggregates.values()),
            filter=self._predicate(condition, resolve),
            contents=window.keeps_contents or not _mergeable(window),
            end=self.end or window.end or window.spec.default_end,
            empty=self.empty or window.empty,
        )

    def _item(self, conditions: list[Expression]) -> Expression | None:
        """The conditions on the item, by the name that it has for everyone."""
        if not conditions:
            return None
        return rename(conjoin(conditions), {self.scan.variable: ITEM})

    def _predicate(self, condition: Expression | None, resolve: Resolve) -> Predicate:
        predicate = ALWAYS if condition is None else predicate_of(condition, resolve)
        if not predicate.satisfiable:
            raise QueryError(
                f"this condition can never be true: {predicate.contradiction}",
                code="contradiction",
                help="no item would ever be a result",
            )
        return predicate

    def _functions(self, conditions: Iterable[Expression]) -> Iterator[UserFunction]:
        for condition in conditions:
            for part in parts_of(rename(condition, {self.scan.variable: ITEM})):
                if isinstance(part, Call) and part.function not in FUNCTIONS:
                    arguments = ", ".join(show(each) for each in part.arguments)
                    sure = part.function in self.deterministic
                    yield UserFunction(part.function, sure, arguments)


def _upwards(operator: Operator, scan: Scan) -> tuple[Operator, ...]:
    """The operators that the rows of a scan pass, the scan first; none if it is elsewhere."""
    if operator is scan:
        return (scan,)
    for below in inputs(operator):
        passed = _upwards(below, scan)
        if passed:
            return (*passed, operator)
    return ()


def _names(aggregations: tuple[Aggregation, ...]) -> frozenset[str]:
    return frozenset(each.variable for each in aggregations)


def _aggregate(aggregation: Aggregation) -> AggregateOf:
    path = tuple(step.name for step in aggregation.source.steps)
    return AggregateOf(aggregation.function, path, aggregation.type)


def _counts_items(aggregation: Aggregation) -> bool:
    return aggregation.function is AggregateFunction.COUNT and not aggregation.source.steps


def _mergeable(window: Window) -> bool:
    """True if others can tell by a path alone what each aggregate is of."""
    return window.tile is None and not any(
        step.predicates for each in window.aggregations for step in each.source.steps
    )
