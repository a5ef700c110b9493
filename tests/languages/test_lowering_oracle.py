"""Lowered queries give what an independent XQuery engine gives for the same text."""

from __future__ import annotations

import pytest

from millstream.languages.xquery import compile_text
from millstream.testing.reference import evaluate
from millstream.testing.saxon import canonical, run
from tests.languages.streams import PHOTON_ITEMS, SKY_ITEMS, Streams

ARRIVALS = [("photons", item) for item in PHOTON_ITEMS] + [("sky", item) for item in SKY_ITEMS]
DOCUMENTS = {
    "photons": f"<photons>{''.join(PHOTON_ITEMS)}</photons>",
    "sky": f"<sky>{''.join(SKY_ITEMS)}</sky>",
}

PER_SOURCE = [
    "$s",
    "$s/name",
    "$s/obs/flux",
    "$s/obs[1]",
    "$s/obs[position() = 2]/@id/string()",
    "$s/obs[band]/flux",
    "$s/obs[band = 'r' and flux < 5]",
    "$s/obs[flux > 1][2]",
    "($s/obs)[2]",
    "$s/obs[@by]/@id",
    "$s//flux",
    "$s/obs/*",
    "$s/*/name",
    "$s/site/name/text()",
    "$s/./name/.",
    "$s/child::obs/attribute::id/string()",
    "count($s/obs)",
    "sum($s/obs/flux)",
    "avg($s/obs[flux < 5]/flux)",
    "(min($s/obs/flux), max($s/obs/flux))",
    "max(($s/obs[1]/flux, 2))",
    "string($s/site/name)",
    "$s/site/name/string()",
    "$s/obs/string(flux)",
    "$s/obs/(flux * 2)",
    "$s/name[contains(., 'V')]",
    "$s/name[string-length() > 5]",
    "$s/name[normalize-space() = 'Crab']",
    "upper-case($s/name)",
    "concat($s/@id, '-', count($s/obs))",
    "substring($s/name, 2, 3)",
    "(starts-with($s/name, 'V'), ends-with($s/name, 'J'))",
    "distinct-values($s/obs/flux)",
    "name($s/site)",
    "(1, 2, 'a', $s/name, 3)",
    "1 to 3",
    "(7 idiv 2, 7 mod 2, 7 div 2, 1 - 2 - 3, -(3), +4)",
    "-$s/obs[1]/flux",
    "(round(2.5), floor(-1.5), ceiling(1.2), abs(-3))",
    "if ($s/site) then <site/> else ()",
    "if ($s/obs/flux = 9) then 'bright' else 'dim'",
    "if (empty($s/obs)) then 'none' else if (count($s/obs) > 2) then 'many' else 'few'",
    "for $o in $s/obs return $o/flux",
    "for $o in $s/obs where $o/flux > 2 return <o>{$o/band, $o/flux}</o>",
    "for $o in $s/obs, $q in $s/obs where $o/@id < $q/@id return <pair>{$o/flux, $q/flux}</pair>",
    "for $o in $s/obs let $f := $o/flux * 2 where $f > 4 return $f",
    "for $f in distinct-values($s/obs/band) return <band>{$f}</band>",
    "for $s in $s/obs return $s/flux",
    "let $o := $s/obs return $o[2]/flux",
    "let $o := $s/obs[flux > 2] return count($o)",
    "some $o in $s/obs satisfies $o/flux > 5",
    "every $o in $s/obs satisfies $o/band",
    "some $o in $s/obs, $q in $s/obs satisfies $o/flux + 1 = $q/flux",
    "not($s/site)",
    "exists($s/obs[flux > 5]) or $s/name = 'RXJ'",
    "$s/name = 'RXJ' and true()",
    "$s/obs/flux != 9",
    "($s/obs/band)[. = 'r']",
    "(for $o in $s/obs return $o)/flux",
    "(if ($s/site) then $s/site else $s/site)/name",
    "$s[@id = 's1']/name",
    "$s[let $n := 'r' return obs[band = $n]]/name",
    "$s[let $o := obs return $o[2]/flux > 1]/name",
    "<a b='{$s/@id}' c='x{1 + 1}y{(1, 2)}'>{$s/name}</a>",
    "<a>{$s/@id}{$s/name}</a>",
    "<a> text <b> {1}{2} </b>{1, 2}&lt;&#x20;{'&amp;'}<![CDATA[<c>]]></a>",
    "element a { attribute id { $s/obs/@id }, attribute x { 1 }, $s/name, element b { } }",
    "<a>{ text { 'x' }, text { $s/name }, $s/obs[1]/flux }</a>",
    "local:twice($s/obs[1]/flux)",
    "local:nested($s)",
    "$limit",
]
PROLOG = """
    declare variable $limit := 5;
    declare function local:twice($x) { $x * 2 };
    declare function local:nested($limit) { for $o in $limit/obs return local:twice($o/flux) };
"""

WHOLE = [
    '<r a="1">head{for $s in stream("sky")/sky/source return $s/name}<tail/></r>',
    'for $s in stream("sky")/sky/source[obs/flux > 5] return <s>{$s/@id}</s>',
    'for $s in stream("sky")/sky/source[obs][name = "RXJ" or @id = "s1"] return $s/name',
    'for $s in stream("sky")//source where $s/obs/flux > 5 and $s/name != "x" return $s/name',
    'for $o in stream("sky")/sky/source/obs where $o/flux > 2 return $o',
    'for $o in stream("sky")/sky/source[site]/obs return $o/flux',
    'for $f in stream("sky")//flux return <f>{$f/text()}</f>',
    'for $i in stream("sky")/sky/source/obs/@id return <i>{string($i)}</i>',
    'for $b in stream("sky")//band/text() return <b>{$b}</b>',
    'for $s in stream("sky")/sky/source for $o in $s/obs return <x>{$s/name, $o/flux}</x>',
    'for $s in stream("sky")/sky/source return for $o in $s/obs where $o/band return $o/band',
    'for $s in stream("sky")/sky/source for $i in $s/obs/@id return <i>{string($i)}</i>',
    'for $s in stream("sky")/sky/source for $n in $s/@id return <i>{string($n)}</i>',
    'for $s in stream("sky")/sky/source for $t in $s return $t/name',
    'for $s in stream("sky")/sky/source let $c := count($s/obs) where $c > 0 return <c>{$c}</c>',
    'let $a := stream("sky")/sky let $b := $a/source for $s in $b[obs] return $s/name',
    '<r>{let $x := 5 return for $s in stream("sky")//source return <y>{$x}</y>}</r>',
    '<r>{stream("sky")/sky/source/name}</r>',
    '(stream("sky")/sky/source/obs)[flux > 5]/band',
    'element r { for $s in stream("sky")/sky/source return $s/name }',
    """<r>{for $p in stream("photons")/photons/photon, $s in stream("sky")/sky/source
        for $o in $s/obs where $o/flux > $p/en and $p/phc = 9 and $s/@id = "s1"
        return <j>{$p/en, $o/flux}</j>}</r>""",
]


def answer_of_saxon(text: str) -> str:
    return canonical("".join(run(text, DOCUMENTS)), numbers=True)


def answer_of_reference(text: str) -> str:
    query = compile_text(text, Streams())
    results = evaluate(query, ARRIVALS).results
    return canonical("".join((query.opening, *results, query.closing)), numbers=True)


@pytest.mark.parametrize("expression", PER_SOURCE)
def test_expressions_mean_what_xquery_says(expression: str) -> None:
    text = f"{PROLOG} for $s in stream('sky')/sky/source return <out>{{ {expression} }}</out>"
    assert answer_of_reference(text) == answer_of_saxon(text)


@pytest.mark.parametrize("text", WHOLE)
def test_queries_mean_what_xquery_says(text: str) -> None:
    assert answer_of_reference(text) == answer_of_saxon(text)
