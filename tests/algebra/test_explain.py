"""Queries and expressions as text."""

from __future__ import annotations

from decimal import Decimal

import pytest

from millstream.algebra.explain import explain, show
from millstream.algebra.expressions import (
    CONTEXT,
    EMPTY,
    TRUE,
    And,
    Arithmetic,
    Call,
    Compare,
    Each,
    Expression,
    If,
    Literal,
    NewAttribute,
    NewElement,
    Or,
    PathTo,
    Quantified,
    Sequence,
    Step,
    Text,
)
from millstream.algebra.operators import (
    AggregateFunction,
    Aggregation,
    Construct,
    Join,
    Query,
    Scan,
    Select,
    Unnest,
    Window,
)
from millstream.model.schema import Element, Schema, ValueType
from millstream.model.window import EndRule, WindowKind, WindowSpec

EN = PathTo("p", (Step("en"),))
BRIGHT = Compare(">=", EN, Literal(Decimal("1.30")))
DIM = Compare("<", EN, Literal(1))

CASES: list[tuple[Expression, str]] = [
    (Literal('say "hi" & go'), '"say ""hi"" &amp; go"'),
    (Literal(1.5), "1.5e0"),
    (Literal(1e300), "1e+300"),
    (TRUE, "true()"),
    (EMPTY, "()"),
    (BRIGHT, "$p/en >= 1.30"),
    (And((BRIGHT, Or((DIM, TRUE)))), "$p/en >= 1.30 and ($p/en < 1 or true())"),
    (Or((And((BRIGHT, DIM)), TRUE)), "$p/en >= 1.30 and $p/en < 1 or true()"),
    (Arithmetic("div", Arithmetic("+", EN, Literal(1)), EN), "($p/en + 1) div $p/en"),
    (If(DIM, EN, EMPTY), "if ($p/en < 1) then $p/en else ()"),
    (Sequence((EN, Literal(-1))), "($p/en, -1)"),
    (PathTo("p", (Step("obs", (Literal(1),)), Step("@id"))), "$p/obs[1]/@id"),
    (
        PathTo("p", (Step("obs", (Compare("=", PathTo(CONTEXT), Literal("r")),)),)),
        '$p/obs[. = "r"]',
    ),
    (
        PathTo("p", (Step("obs", (Call("exists", (PathTo(CONTEXT, (Step("en"),)),)),)),)),
        "$p/obs[exists(en)]",
    ),
    (
        Each("o", PathTo("p", (Step("obs"),)), PathTo("o"), DIM),
        "for $o in $p/obs where $p/en < 1 return $o",
    ),
    (Quantified(True, "o", EN, DIM), "every $o in $p/en satisfies ($p/en < 1)"),
    (
        NewElement("a", (NewAttribute("id", (Text('"x"{'), EN)),), (Text("<{"), EN)),
        '<a id="&quot;x&quot;{{{ $p/en }">&lt;{{{ $p/en }</a>',
    ),
    (NewElement("a", (), (NewElement("b"),)), "<a><b/></a>"),
]


@pytest.mark.parametrize(("expression", "expected"), CASES, ids=[text for _, text in CASES])
def test_an_expression_reads_like_xquery(expression: Expression, expected: str) -> None:
    assert show(expression) == expected


def test_explain_indents_inputs_below_their_reader() -> None:
    schema = Schema("photons", Element("photon"))
    mean = Aggregation("a", AggregateFunction.AVG, PathTo("w", (Step("en"),)), ValueType.DECIMAL)
    window = Window(
        Select(Scan("photons", "p", schema), BRIGHT),
        "w",
        WindowSpec(WindowKind.DIFF, 20, 10, ("det_time",)),
        (mean,),
        keeps_contents=True,
        end=EndRule.CUT,
        empty=True,
    )
    joined = Join(window, Unnest(Scan("other", "x", schema), "y", PathTo("x"), Element("y")), TRUE)
    query = Query((Construct(joined, PathTo("a")),), "<photons>", "</photons>")
    expected = """\
Query <photons> … </photons>
  Construct $a
    Join where true()
      Window |det_time diff 20 step 10| as $w with $a := avg($w/en) as decimal keeping contents \
ending by cut empty ones too
        Select $p/en >= 1.30
          Scan photons as $p
      Unnest $x as $y
        Scan other as $x"""
    assert explain(query) == expected
