"""Which conditions of a query can be looked up."""

from __future__ import annotations

from millstream.compiler.branch import compile_branch
from millstream.compiler.lookups import Lookups
from millstream.languages.xquery import compile_text
from tests.languages.streams import Streams


def found(where: str, stream: str = "photons/photons/photon") -> Lookups:
    name, path = stream.split("/", 1)
    text = f'for $p in stream("{name}")/{path} where {where} return $p'
    (branch,) = compile_text(text, Streams()).branches
    (statement,) = compile_branch(branch).statements.values()
    return statement.lookups


def ranges(where: str, stream: str = "photons/photons/photon") -> list[str]:
    return [each.path for each in found(where, stream).ranges]


def keys(where: str, stream: str = "photons/photons/photon") -> list[str]:
    return [each.path for each in found(where, stream).keys]


def test_two_sided_ranges() -> None:
    box = "$p/coord/cel/ra >= 1.5 and $p/coord/cel/ra < 2 and 3 <= $p/phc and $p/phc <= 4"
    assert ranges(box) == ["coord/cel/ra", "phc"]


def test_the_constants_of_a_range_are_told_apart() -> None:
    (range,) = found("$p/en > 1 and 9 >= $p/en and $p/en >= 2").ranges
    assert (len(range.lows), len(range.highs)) == (2, 1)


def test_one_sided_bounds_are_no_ranges() -> None:
    assert ranges("$p/en >= 1 and $p/phc <= 2") == []


def test_equalities_are_keys() -> None:
    assert keys("$p/phc = 3 and $p/en >= 1 and $p/en <= 2") == ["phc"]


def test_equal_texts_are_keys() -> None:
    assert keys('$p/name = "Vela"', "sky/sky/source") == ["name"]


def test_what_is_not_equal_is_no_key() -> None:
    assert keys("$p/phc != 3") == []


def test_alternatives_are_not_looked_up() -> None:
    assert found("($p/en >= 1 and $p/en <= 2) or $p/phc = 3") == Lookups()


def test_repeated_elements_are_not_looked_up() -> None:
    inside = "$p/obs/flux >= 1 and $p/obs/flux <= 2 and $p/obs/band = 'r'"
    assert found(inside, "sky/sky/source") == Lookups()


def test_paths_with_predicates_are_not_looked_up() -> None:
    assert found("$p/coord[cel/ra > 3]/cel/dec = 1") == Lookups()


def test_conditions_between_paths_are_not_looked_up() -> None:
    assert found("$p/coord/cel/ra = $p/coord/cel/dec") == Lookups()


def test_windows_look_up_what_they_select() -> None:
    text = (
        'for $w in stream("photons")/photons/photon[en >= 1 and en <= 2 and phc = 3]'
        "|det_time diff 20 step 10| let $a := avg($w/en) return <a>{ $a }</a>"
    )
    (branch,) = compile_text(text, Streams()).branches
    (statement,) = compile_branch(branch).statements.values()
    assert [each.path for each in statement.lookups.ranges] == ["en"]
    assert [each.path for each in statement.lookups.keys] == ["phc"]
