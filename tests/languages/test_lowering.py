"""Queries become the algebra that they mean."""

from __future__ import annotations

import textwrap

import pytest

from millstream.algebra.explain import explain
from millstream.algebra.operators import Query, Window
from millstream.errors import MillstreamError
from millstream.languages.xquery import compile_text
from millstream.model.schema import ValueType
from tests.languages import seed_queries as seed
from tests.languages.streams import Streams

REGION = (
    "${0}/coord/cel/ra >= 120.0 and ${0}/coord/cel/ra <= {1} and "
    "${0}/coord/cel/dec >= -49.0 and ${0}/coord/cel/dec <= -40.0"
)


def compiled(text: str) -> Query:
    return compile_text(text, Streams())


def explained(text: str) -> str:
    return explain(compiled(text))


def dedented(text: str) -> str:
    return textwrap.dedent(text).strip()


def rows(text: str) -> str:
    """The operators below the construction of a query without a root, on their own."""
    lines = explained(text).splitlines()[2:]
    return textwrap.dedent("\n".join(lines))


def template(text: str) -> str:
    """What a query on sources $s constructs when it returns this."""
    whole = explained(f'for $s in stream("sky")/sky/source return {text}')
    return whole.splitlines()[1].strip().removeprefix("Construct ")


def test_a_selection() -> None:
    assert explained(seed.FIGURE_3) == dedented(f"""
        Query <photons> … </photons>
          Construct <vela>{{ $p/coord/cel/ra }}{{ $p/coord/cel/dec }}{{ $p/phc }}{{ $p/en }}\
{{ $p/det_time }}</vela>
            Select {REGION.format("p", "138.0")}
              Scan photons as $p
    """)


def test_a_narrower_selection() -> None:
    assert explained(seed.FIGURE_4) == dedented("""
        Query <photons> … </photons>
          Construct <rxj>{ $p/coord/cel/ra }{ $p/coord/cel/dec }{ $p/en }{ $p/det_time }</rxj>
            Select $p/en >= 1.3 and $p/coord/cel/ra >= 130.5 and $p/coord/cel/ra <= 135.5 and \
$p/coord/cel/dec >= -48.0 and $p/coord/cel/dec <= -45.0
              Scan photons as $p
    """)


def test_an_aggregate_over_time_windows() -> None:
    assert explained(seed.FIGURE_7) == dedented(f"""
        Query <photons> … </photons>
          Construct <avg_en>{{ $a }}</avg_en>
            Window |det_time diff 20 step 10| as $w with $a := avg($w/en) as decimal
              Select {REGION.format("photon", "138.0")}
                Scan photons as $photon
    """)


def test_a_filtered_aggregate() -> None:
    assert explained(seed.FIGURE_8) == dedented(f"""
        Query <photons> … </photons>
          Construct <avg_en>{{ $a }}</avg_en>
            Select $a >= 1.3
              Window |det_time diff 60 step 40| as $w with $a := avg($w/en) as decimal
                Select {REGION.format("photon", "138.0")}
                  Scan photons as $photon
    """)


@pytest.mark.parametrize(
    ("text", "window"),
    [(seed.FIGURE_9, "|count 4 step 2|"), (seed.FIGURE_11, "|c diff 4 step 2|")],
)
def test_the_contents_of_windows(text: str, window: str) -> None:
    assert explained(text) == dedented(f"""
        Query without a root
          Construct <result><win>{{ $w }}</win></result>
            Window {window} as $w keeping contents
              Scan data.xml as $b
    """)


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        (seed.SCENARIO_3.replace("138.8", "138.0"), seed.FIGURE_7),
        (seed.SCENARIO_4, seed.FIGURE_8.replace("where $a >= 1.3", "")),
        (seed.SCENARIO_1.replace("det-time", "det_time"), seed.FIGURE_3),
        (
            seed.SCENARIO_2.replace("det-time", "det_time"),
            seed.FIGURE_4.replace("rxj", "rxj_photon"),
        ),
    ],
)
def test_the_scenario_says_what_the_figures_say(slip: str, meant: str) -> None:
    assert compiled(slip) == compiled(meant)


@pytest.mark.parametrize("text", [seed.SCENARIO_1, seed.SCENARIO_2])
def test_a_slip_of_the_pen_is_pointed_out(text: str) -> None:
    with pytest.raises(MillstreamError, match="did you mean 'det_time'"):
        compiled(text)


def test_a_step_defaults_to_the_size() -> None:
    text = 'for $w in stream("photons")/photons/photon|count 3| return count($w)'
    assert rows(text) == dedented("""
        Window |count 3 step 3| as $w with $count_w := count($w) as integer
          Scan photons as $photon
    """)


def test_equal_aggregates_are_computed_once_wherever_they_are_asked_for() -> None:
    text = """
        for $w in stream("photons")/photons/photon|count 3|
        let $a := avg($w/en) let $b := avg($w/photon/en)
        where max($w/en) > 1 and avg($w/en) > $a
        return <r>{ $b, avg($w/en), max($w/en), count($w), sum($w/phc) }</r>
    """
    assert explained(text) == dedented("""
        Query without a root
          Construct <r>{ ($a, $a, $max_en, $count_w, $sum_phc) }</r>
            Select $max_en > 1 and $a > $a
              Window |count 3 step 3| as $w with $a := avg($w/en) as decimal, $max_en := \
max($w/en) as decimal, $count_w := count($w) as integer, $sum_phc := sum($w/phc) as integer
                Scan photons as $photon
    """)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("count($w/flux)", ValueType.INTEGER),
        ("avg($w/flux)", ValueType.DOUBLE),
        ("avg($w/@id)", ValueType.DECIMAL),
        ("sum($w/@id)", ValueType.INTEGER),
        ("min($w/band)", ValueType.TEXT),
    ],
)
def test_types_of_aggregates(call: str, expected: ValueType) -> None:
    branch = compiled(f'for $w in stream("sky")//obs|count 3| return {call}').branches[0]
    assert isinstance(branch.input, Window) and branch.input.aggregations[0].type is expected


@pytest.mark.parametrize(
    ("use", "kept"),
    [
        ("avg($w/en)", False),
        ("<n/>", False),
        ("$w/en", True),
        ("exists($w)", True),
        ("avg($w[phc > 3]/en)", True),
        ("avg($w/photon[phc > 3]/en)", True),
        ("for $p in $w return $p/en", True),
    ],
)
def test_contents_are_kept_only_where_they_are_used(use: str, kept: bool) -> None:
    text = f'for $w in stream("photons")/photons/photon|count 3| return <r>{{ {use} }}</r>'
    (branch,) = compiled(text).branches
    assert isinstance(branch.input, Window) and branch.input.keeps_contents is kept


def test_a_window_over_nodes_inside_items() -> None:
    assert rows(
        'for $w in stream("sky")//source[name]/obs|@id diff 9| return sum($w/flux)'
    ) == dedented("""
        Window |@id diff 9 step 9| as $w with $sum_flux := sum($w/flux) as double
          Unnest $source/obs as $obs
            Select $source/name
              Scan sky as $source
    """)


def test_conditions_go_down_to_the_input_that_they_need() -> None:
    text = """
        for $p in stream("photons")/photons/photon, $s in stream("sky")/sky/source
        for $o in $s/obs
        where $o/flux > 2 and $p/en > 1 and $s/name = "Vela" and $p/phc = $o/@id and $s/site
        return $o
    """
    assert rows(text) == dedented("""
        Join where $p/phc = $o/@id
          Select $p/en > 1
            Scan photons as $p
          Select $o/flux > 2
            Unnest $s/obs as $o
              Select $s/name = "Vela" and $s/site
                Scan sky as $s
    """)


def test_a_loop_that_is_returned_is_one_more_for() -> None:
    text = 'for $s in stream("sky")/sky/source return for $o in $s/obs where $o/flux > 2 return $o'
    assert rows(text) == dedented("""
        Select $o/flux > 2
          Unnest $s/obs as $o
            Scan sky as $s
    """)


def test_a_join_of_windows() -> None:
    text = """
        for $v in stream("photons")/photons/photon|count 2|
        for $w in stream("sky")/sky/source/obs|count 3|
        where avg($v/en) > 1 and count($w) < 3 and avg($v/en) < sum($w/flux)
        return $v
    """
    assert rows(text) == dedented("""
        Join where $avg_en < $sum_flux
          Select $avg_en > 1
            Window |count 2 step 2| as $v with $avg_en := avg($v/en) as decimal keeping contents
              Scan photons as $photon
          Select $count_w < 3
            Window |count 3 step 3| as $w with $count_w := count($w) as integer, $sum_flux := \
sum($w/flux) as double
              Unnest $source/obs as $obs
                Scan sky as $source
    """)


def test_variables_of_one_name_are_kept_apart() -> None:
    text = 'for $x in stream("sky")/sky/source for $x in $x/obs where $x/flux > 1 return $x'
    assert rows(text) == dedented("""
        Select $x_2/flux > 1
          Unnest $x/obs as $x_2
            Scan sky as $x
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$s//band", "$s/obs/band"),
        ("$s/site/*", "$s/site/name"),
        ("$s/*", "$s/*"),
        ("$s/self::source/name", "$s/name"),
        ("$s/descendant::flux", "$s/obs/flux"),
        ("$s//@by", "$s/obs/@by"),
        ("($s/obs)[2]", "$s/obs[2]"),
        ("$s/obs[2][flux > 1]", "$s/obs[2][flux > 1]"),
        ("$s/obs[band = $s/name]", "$s/obs[band = $s/name]"),
        ("fn:count($s/obs)", "count($s/obs)"),
        ("(true(), false())", "(true(), false())"),
        ("$s/obs/string()", "for $node in $s/obs return string($node)"),
        ("let $o := $s/obs return $o/flux", "$s/obs/flux"),
        ("(let $x := 1 where $s/site return $x, 2)", "(if ($s/site) then 1 else (), 2)"),
        ("$s/name lt 'm'", '$s/name < "m"'),
        ("-1.5", "-1.5"),
        ("- -2", "2"),
        ("-$s/@id", "0 - $s/@id"),
        ("1 to 3", "(1, 2, 3)"),
        ("max((1, 2))", "max((1, 2))"),
        ("max(1, 2)", "max((1, 2))"),
        ("<a><!-- dropped --></a>", "<a/>"),
        ("<a b='1'>{attribute c {2}, 3}</a>", '<a b="1" c="{ 2 }">{ 3 }</a>'),
    ],
)
def test_expressions(text: str, expected: str) -> None:
    assert template(text) == expected


def test_declared_functions_are_written_out() -> None:
    text = """
        declare variable $limit := 2;
        declare function local:bright($s) { $s/obs[flux > $limit] };
        for $s in stream("sky")/sky/source return count(local:bright($s))
    """
    assert "Construct count($s/obs[flux > 2])" in explained(text)


def test_what_stands_around_the_loops_opens_and_closes_the_result() -> None:
    text = """
        <r a="1 &lt; 2"><head>x &amp; y</head>{ "z" }<rows>
          { for $s in stream("sky")/sky/source return $s/name,
            for $p in stream("photons")/photons/photon return $p/en }
        </rows><tail/></r>
    """
    query = compiled(text)
    assert (query.opening, query.closing, len(query.branches), query.streams) == (
        '<r a="1 &lt; 2"><head>x &amp; y</head>z<rows>',
        "</rows><tail/></r>",
        2,
        ("sky", "photons"),
    )


@pytest.mark.parametrize("source", ["/photons/photon", "doc('photons')/photons/photon", "//photon"])
def test_a_stream_may_be_known_by_its_root(source: str) -> None:
    class One(Streams):
        def names(self) -> tuple[str, ...]:
            return ("photons",)

    expected = compiled('for $p in stream("photons")/photons/photon return $p')
    assert compile_text(f"for $p in {source} return $p", One()) == expected


def test_a_root_among_several_streams_tells_which_is_meant() -> None:
    assert compiled("for $p in /photons/photon return $p").streams == ("photons",)


def test_a_path_alone_is_a_loop() -> None:
    assert compiled('stream("sky")/sky/source/obs') == compiled(
        'for $item in stream("sky")/sky/source/obs return $item'
    )


def test_a_stream_may_have_a_name_in_the_query() -> None:
    assert compiled('let $s := stream("sky")/sky for $x in $s/source return $x') == compiled(
        'for $x in stream("sky")/sky/source return $x'
    )
