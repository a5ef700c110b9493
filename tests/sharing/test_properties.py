"""What subscriptions ask of their streams, read from their algebra."""

from __future__ import annotations

from dataclasses import replace

import pytest

from millstream.algebra.expressions import Call, Compare, Literal, PathTo, Step
from millstream.algebra.operators import AggregateFunction, Construct, Query, Scan, Select
from millstream.errors import QueryError
from millstream.generators.photon_queries import AVERAGE_20, AVERAGE_60, RXJ, VELA
from millstream.model.window import EndRule
from millstream.sharing.element_paths import all_paths
from millstream.sharing.predicates import equivalent
from millstream.sharing.properties import ALWAYS, Input, UserFunction, flowing, original
from millstream.sharing.reading_properties import properties_of
from tests.languages.streams import PHOTONS, SKY
from tests.sharing.photon_properties import PHOTON, asked, items, paths, properties, windows

CELESTIAL = {"coord/cel/ra", "coord/cel/dec"}
EVERYTHING = {"coord/cel/ra", "coord/cel/dec", "coord/det/dx", "coord/det/dy", "phc", "en"} | {
    "det_time"
}
SOURCES = 'for $s in stream("sky")/sky/source'


def test_a_selection_and_a_projection() -> None:
    vela = asked(VELA)
    assert vela.stream == "photons" and vela.window is None
    assert paths(vela.referenced) == CELESTIAL | {"phc", "en", "det_time"}
    assert paths(vela.output) == paths(vela.referenced)


def test_what_only_a_selection_needs_is_not_put_out() -> None:
    found = items("$p/phc > 3 and $p/en >= 1.3")
    assert paths(found.referenced) == {"phc", "en"}
    assert paths(found.output) == {"en"}


def test_windows_with_an_aggregate() -> None:
    found = asked(AVERAGE_20)
    assert found.window is not None and not found.window.contents and found.aggregated
    assert [str(each) for each in found.window.aggregates] == ["avg(en)"]
    assert str(found.window.spec) == "|det_time diff 20 step 10|"
    assert found.window.end is EndRule.RUN
    assert found.window.filter == ALWAYS
    assert paths(found.referenced) == CELESTIAL | {"en", "det_time"}
    assert paths(found.output) == {"en", "det_time"}


def test_windows_that_are_filtered() -> None:
    window = asked(AVERAGE_60).window
    assert window is not None
    assert [each.name for each in window.filter.variables] == ["avg(en)"]
    assert str(window.filter) == "avg(en) >= 1.3"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (VELA, VELA.replace("$p", "$q")),
        (RXJ, RXJ.replace("$p", "$photon")),
        (AVERAGE_60, AVERAGE_60.replace("$a", "$b").replace("$w", "$v")),
        (
            f"for $p in {PHOTON} where $p/phc + 1 > 4 return $p/en",
            f"for $x in {PHOTON} where $x/phc + 1 > 4 return $x/en",
        ),
    ],
)
def test_names_of_variables_do_not_matter(one: str, other: str) -> None:
    assert properties(one) == properties(other)


def test_path_predicates_are_conditions_like_others() -> None:
    first = asked(f"for $p in {PHOTON}[en > 1][phc < 3] return $p/en")
    assert equivalent(first.selection, items("$p/en > 1 and $p/phc < 3").selection)


def test_a_nested_element_stands_for_all_that_it_holds() -> None:
    assert paths(items(returned="$p/coord").output) == CELESTIAL | {"coord/det/dx", "coord/det/dy"}


def test_a_whole_item_is_everything() -> None:
    assert paths(items(returned="$p").output) == EVERYTHING
    assert items(returned="$p").output == all_paths(PHOTONS)


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ("$s/obs/flux", {"obs/flux"}),
        ("$s/obs[band = 'r']/flux", {"obs/flux", "obs/band"}),
        ("$s/obs[2]/@by", {"obs/@by"}),
        ("for $o in $s/obs where $o/@id > 3 return <o>{$o/flux}</o>", {"obs/@id", "obs/flux"}),
        ("for $o in $s/obs return <o/>", {"obs/flux", "obs/band", "obs/@id", "obs/@by"}),
        ("some $o in $s/obs satisfies $o/flux > 2", {"obs/flux"}),
        ("if ($s/name = 'a') then $s/@id else ()", {"name", "@id"}),
        ("$s/obs[band = $s/name]/flux", {"obs/flux", "obs/band", "name"}),
        ("$s/name/text()", {"name"}),
        ("<a b='{$s/name}'>{count($s/obs/flux)}</a>", {"name", "obs/flux"}),
        ("$s/site/*", {"site/name"}),
    ],
)
def test_what_a_template_uses(returned: str, expected: set[str]) -> None:
    text = f"{SOURCES} return <r>{{ {returned} }}</r>"
    assert paths(asked(text).output) == expected


def test_any_child_is_every_child() -> None:
    found = asked(f"{SOURCES} return <r>{{ $s/* }}</r>")
    assert paths(found.output) == paths(all_paths(SKY)) - {"@id"}


def test_loops_over_nodes_are_made_where_the_result_is() -> None:
    found = asked(f"{SOURCES} for $o in $s/obs where $o/flux > 2 and $s/site return $o/@by")
    assert paths(found.output) == {"obs/flux", "obs/@by"}
    assert paths(found.referenced) == {"obs/flux", "obs/@by", "site/name"}
    assert flowing(found) == found


def test_a_loop_that_uses_nothing_still_needs_its_nodes() -> None:
    found = asked(f"{SOURCES} for $o in $s/site return <seen/>")
    assert paths(found.output) == {"site/name"}


def test_each_input_of_a_join_by_itself() -> None:
    photons, sky = properties(
        f'for $p in {PHOTON}, $s in stream("sky")/sky/source '
        "where $p/en > 1 and $s/name = 'Vela' and $p/phc = $s/obs/@id return $p/det_time"
    ).inputs
    assert (photons.stream, sky.stream) == ("photons", "sky")
    assert str(photons.selection) == "en > 1"
    assert paths(photons.output) == {"phc", "det_time"}
    assert paths(sky.output) == {"obs/@id"}
    assert paths(sky.referenced) == {"obs/@id", "name"}


def test_windows_of_a_join_are_made_where_the_result_is() -> None:
    first, _ = properties(
        f"for $v in {PHOTON}|det_time diff 20 step 10| "
        'for $w in stream("sky")/sky/source|count 3| '
        "where avg($v/en) > 1 return count($w)"
    ).inputs
    assert first.window is None
    assert paths(first.output) == {"en", "det_time"}


def test_windows_inside_items_are_made_where_the_result_is() -> None:
    found = asked('for $w in stream("sky")//source[name = "a"]/obs|@id diff 9| return sum($w/flux)')
    assert found.window is None
    assert paths(found.output) == {"obs/flux", "obs/@id"}
    assert paths(found.referenced) == {"obs/flux", "obs/@id", "name"}


def test_each_branch_by_itself() -> None:
    found = properties(f"<r>{{ for $p in {PHOTON} return $p/en, {SOURCES} return $s/name }}</r>")
    assert [each.stream for each in found.inputs] == ["photons", "sky"]


def test_windows_whose_contents_are_returned_travel_as_items() -> None:
    found = windows("det_time diff 20 step 10", "$w/en", "phc > 3")
    assert found.window is not None and found.window.contents and not found.aggregated
    assert paths(found.output) == {"en", "det_time"}
    assert flowing(found) == replace(found, window=None)


def test_aggregates_travel_as_aggregates() -> None:
    found = asked(AVERAGE_60)
    assert flowing(found) == found


def test_counting_items_needs_none_of_their_elements() -> None:
    found = windows("count 4 step 2", "count($w)")
    assert found.window is not None and found.output == frozenset()
    assert [(each.function, each.path) for each in found.window.aggregates] == [
        (AggregateFunction.COUNT, ())
    ]


def test_a_subscription_chooses_how_its_windows_end() -> None:
    default, chosen = windows("count 4"), windows("count 4", end=EndRule.GATHER)
    assert default.window and chosen.window
    assert (default.window.end, chosen.window.end) == (EndRule.CUT, EndRule.GATHER)


def test_an_original_stream_is_everything() -> None:
    found = original("photons", PHOTONS)
    assert found.selection == ALWAYS and paths(found.output) == EVERYTHING


def test_conditions_that_can_never_hold_are_refused() -> None:
    scan = Scan("photons", "p", PHOTONS)
    en = PathTo("p", (Step("en"),))
    low, high = Compare("<", en, Literal(1)), Compare(">", en, Literal(2))
    query = Query((Construct(Select(Select(scan, low), high), en),))
    with pytest.raises(QueryError, match=r"can never be true: .*en"):
        properties_of(query)


def called(function: str, variable: str, deterministic: tuple[str, ...] = ()) -> Input:
    scan = Scan("photons", variable, PHOTONS)
    en = PathTo(variable, (Step("en"),))
    condition = Compare(">", Call(function, (en, Literal(2))), Literal(1))
    query = Query((Construct(Select(scan, condition), en),))
    (found,) = properties_of(query, deterministic=deterministic).inputs
    return found


def test_functions_outside_the_library_are_noted() -> None:
    assert called("redshift", "p").functions == (UserFunction("redshift", False, "$item/en, 2"),)
    assert called("redshift", "q", ("redshift",)).functions[0].deterministic
    assert called("round", "p").functions == ()
