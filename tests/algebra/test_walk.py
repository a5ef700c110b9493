"""Walking, rewriting and renaming the frozen nodes."""

from __future__ import annotations

from millstream.algebra.expressions import (
    CONTEXT,
    TRUE,
    And,
    Arithmetic,
    Call,
    Compare,
    Each,
    Expression,
    Literal,
    NewAttribute,
    NewElement,
    PathTo,
    Quantified,
    Sequence,
    Step,
    Text,
)
from millstream.algebra.operators import Construct, Join, Scan, Select, Unnest
from millstream.algebra.walk import (
    conjoin,
    conjuncts,
    expressions,
    free_variables,
    map_expressions,
    operators,
    rename,
    subexpressions,
    substitute,
    transform,
    transform_operator,
)
from millstream.model.schema import Content, Element, Occurs, Schema

EN = PathTo("p", (Step("en"),))
BRIGHT = Compare(">", EN, Literal(1))
OBS = Element("obs", Occurs.MANY)
SCHEMA = Schema("photons", Element("photon", content=Content.NESTED, children=(OBS,)))
SCAN = Scan("photons", "p", SCHEMA)


def test_subexpressions_come_outer_before_inner() -> None:
    assert list(subexpressions(BRIGHT)) == [BRIGHT, EN, Literal(1)]


def test_subexpressions_reach_predicates_attributes_and_content() -> None:
    element = NewElement(
        "a",
        (NewAttribute("b", (Text("x"),)),),
        (PathTo("p", (Step("obs", (Literal(1),)),)),),
    )
    inner = list(subexpressions(element))[1:]
    assert inner == [Text("x"), element.content[0], Literal(1)]


def test_transform_sees_rewritten_children() -> None:
    def double(expression: Expression) -> Expression:
        match expression:
            case Literal(int(value)):
                return Literal(value * 2)
            case Arithmetic("+", Literal(int(left)), Literal(int(right))):
                return Literal(left + right)
        return expression

    assert transform(Arithmetic("+", Literal(1), Literal(2)), double) == Literal(6)


def test_a_binder_hides_its_variable_but_not_in_its_source() -> None:
    each = Each("o", PathTo("o", (Step("obs"),)), Sequence((PathTo("o"), PathTo("q"))))
    assert free_variables(each) == {"o", "q"}


def test_a_predicate_hides_the_context() -> None:
    path = PathTo("p", (Step("obs", (Compare("=", PathTo(CONTEXT), PathTo("q")),)),))
    assert free_variables(path) == {"p", "q"}


def test_a_quantifier_hides_its_variable() -> None:
    some = Quantified(False, "o", EN, Compare("=", PathTo("o"), PathTo("q")))
    assert free_variables(some) == {"p", "q"}


def test_rename_leaves_bound_variables() -> None:
    each = Each("o", PathTo("p"), PathTo("o"))
    assert rename(each, {"o": "x", "p": "y"}) == Each("o", PathTo("y"), PathTo("o"))


def test_rename_does_not_let_a_binder_capture() -> None:
    each = Each("o", EN, Sequence((PathTo("o"), PathTo("p"))), BRIGHT)
    expected = Each(
        "o_2",
        PathTo("o", (Step("en"),)),
        Sequence((PathTo("o_2"), PathTo("o"))),
        Compare(">", PathTo("o", (Step("en"),)), Literal(1)),
    )
    assert rename(each, {"p": "o"}) == expected


def test_substituting_a_path_joins_the_steps() -> None:
    path = PathTo("x", (Step("ra"),))
    assert substitute(path, {"x": PathTo("p", (Step("coord"),))}) == PathTo(
        "p", (Step("coord"), Step("ra"))
    )


def test_substituting_another_expression_walks_its_nodes() -> None:
    path = PathTo("x", (Step("ra"),))
    both = Sequence((PathTo("p"), PathTo("q")))
    assert substitute(path, {"x": both}) == Each("node", both, PathTo("node", (Step("ra"),)))


def test_rename_reaches_every_operator() -> None:
    tree = Construct(Select(Unnest(SCAN, "o", PathTo("p", (Step("obs"),)), OBS), BRIGHT), EN)
    renamed = rename(tree, {"p": "s", "o": "t"})
    expected = Construct(
        Select(
            Unnest(Scan("photons", "s", SCHEMA), "t", PathTo("s", (Step("obs"),)), OBS),
            rename(BRIGHT, {"p": "s"}),
        ),
        PathTo("s", (Step("en"),)),
    )
    assert renamed == expected


def test_transform_operator_rewrites_from_the_scans_up() -> None:
    tree = Join(Select(SCAN, TRUE), SCAN, TRUE)
    dropped = transform_operator(
        tree, lambda each: each.input if isinstance(each, Select) else each
    )
    assert dropped == Join(SCAN, SCAN, TRUE)


def test_operators_come_before_their_inputs() -> None:
    selection = Select(SCAN, BRIGHT)
    assert list(operators(selection)) == [selection, SCAN]


def test_map_expressions_keeps_the_input() -> None:
    selection = Select(SCAN, BRIGHT)
    assert expressions(map_expressions(selection, lambda _: TRUE)) == (TRUE,)


def test_conjuncts_are_flat() -> None:
    other = Call("empty", (EN,))
    assert conjuncts(And((BRIGHT, And((other, TRUE))))) == (BRIGHT, other)


def test_conjoin_keeps_each_predicate_once() -> None:
    assert (conjoin([]), conjoin([BRIGHT, BRIGHT])) == (TRUE, BRIGHT)
