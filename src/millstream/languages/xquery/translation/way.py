"""A path while it is translated: what it starts from, and the steps so far."""

from __future__ import annotations

from dataclasses import dataclass, replace

from millstream.languages.xquery import syntax
from millstream.languages.xquery.translation.naming import call
from millstream.languages.xquery.translation.shape import Shape


@dataclass(frozen=True, slots=True)
class Way:
    """Steps from an origin, or from the context item, to nodes of a shape."""

    origin: syntax.Expression | None
    shape: Shape
    steps: tuple[syntax.PathStep, ...] = ()
    repeats: bool = False
    """True if it may lead to several copies of one node."""

    @classmethod
    def at(cls, expression: syntax.Expression, shape: Shape) -> Way:
        """The way that an expression has gone already."""
        match expression:
            case syntax.Path(origin, steps) if origin is not None:
                return cls(origin, shape, steps)
        return cls(expression, shape)

    @property
    def expression(self) -> syntax.Expression:
        """The path as it stands."""
        if not self.steps:
            return syntax.ContextItem() if self.origin is None else self.origin
        return syntax.Path(self.origin, self.steps)

    def plus(self, *steps: syntax.PathStep) -> syntax.Path:
        """The path with more steps at its end."""
        return syntax.Path(self.origin, (*self.steps, *steps))

    def then(self, step: syntax.PathStep, shape: Shape, *, repeats: bool = False) -> Way:
        """One step further."""
        steps = (*self.steps, step)
        return replace(self, shape=shape, steps=steps, repeats=self.repeats or repeats)

    def started(self, origin: syntax.Expression, *steps: syntax.PathStep, shape: Shape) -> Way:
        """Another origin, which takes in the way so far."""
        return Way(origin, shape, steps, self.repeats)

    def once(self) -> Way:
        """The same nodes, each once."""
        if not self.repeats:
            return self
        return Way(call("once", self.expression), self.shape)
