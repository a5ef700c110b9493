"""Plans as XML, in the form of the seed's Appendix C."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lxml import etree

from millstream.algebra.operators import Query
from millstream.languages.xquery import compile_text
from millstream.languages.xquery.parser import parse
from millstream.model.dtd import read_dtd
from millstream.model.schema import Schema
from millstream.sharing.planner import Options, Plan, Strategy
from millstream.sharing.planner.declarations import declarations, flow_schema
from millstream.sharing.planner.plan_xml import INSTANCE, NAMESPACE, plan_xml
from tests.sharing.planner.photon_planner import (
    SEED_QUERIES,
    photon_planner,
    register,
    register_seed_queries,
)

NAMES = {"p": NAMESPACE, "xsi": INSTANCE}
PHOTON = 'stream("photons")/photons/photon'


def document(plan: Plan) -> etree._Element:
    return etree.fromstring(plan_xml(plan).encode())


def found(plan: Plan, xpath: str) -> list[str]:
    result = document(plan).xpath(xpath, namespaces=NAMES)
    return [str(each) for each in result]  # type: ignore[union-attr]


def sources(plan: Plan) -> list[str]:
    return found(plan, "//p:source/text()")


def test_plans_are_nested_from_the_subscriber_to_the_tap() -> None:
    plan = register_seed_queries(photon_planner(), 1)["Q1"]
    assert found(plan, "//p:plan/@atPeer") == ["SP1", "SP5", "SP4"]
    assert found(plan, "//p:plan/@id") == ["Q1:plan-1", "Q1:plan-0", "Q1"]
    assert len(found(plan, "/p:plan/p:plan/p:plan/p:add")) == 1


def test_operators_are_of_the_two_types() -> None:
    plan = register_seed_queries(photon_planner(), 1)["Q1"]
    kinds = dict(
        zip(
            found(plan, "//p:streamoperator/@id"),
            found(plan, "//p:streamoperator/@xsi:type"),
            strict=True,
        )
    )
    assert kinds == {
        "Q1:plan-1:Q1:q1#": "queryStreamoperatorType",
        "Q1:plan-1": "counterStreamoperatorType",
        "Q1:plan-0": "counterStreamoperatorType",
        "Q1:q0": "queryStreamoperatorType",
    }


def test_each_operator_knows_what_it_reads() -> None:
    plan = register_seed_queries(photon_planner(), 1)["Q1"]
    assert found(plan, "//p:streamreference/@id") == ["Q1:plan-1", "Q1:plan-0", "Q1"]
    assert found(plan, "//p:stream/@id") == ["photons"]
    assert found(plan, "//p:neighbor/text()") == ["SP5", "SP4"]
    assert found(plan, "//p:ds-item/text()") == ["photon", "photon"]


def test_a_tapped_flow_is_referred_to_by_where_it_is_tapped() -> None:
    plans = register_seed_queries(photon_planner(), 4)
    references = {name: found(plan, "//p:streamreference/@id")[-1] for name, plan in plans.items()}
    assert references == {"Q1": "Q1", "Q2": "Q1:plan-0", "Q3": "Q1:plan-1", "Q4": "Q3:plan-0"}


def test_schemas_lose_what_was_projected_out() -> None:
    plan = register_seed_queries(photon_planner(), 2)["Q2"]
    (made,) = found(plan, "//p:streamoperator[@id='Q2:q0']/p:output-dtd/text()")
    assert "<!ELEMENT photon (coord, en, det_time)>" in made
    assert "<!ELEMENT coord (cel)>" in made


@pytest.mark.parametrize("strategy", Strategy)
def test_every_source_is_a_query(strategy: Strategy) -> None:
    planner = photon_planner(options=Options(strategy=strategy))
    written = [each for plan in register_seed_queries(planner).values() for each in sources(plan)]
    assert written
    assert all(parse(source) is not None for source in written)


class _Flow:
    """A catalog of one flow."""

    def __init__(self, name: str, schema: Schema) -> None:
        self._name, self._schema = name, schema

    def schema(self, stream_name: str, /) -> Schema:
        assert stream_name == self._name
        return self._schema

    def names(self) -> Sequence[str]:
        return (self._name,)


def test_taps_and_results_compile_over_what_they_read() -> None:
    plans = register_seed_queries(photon_planner(), 2)
    (part,) = plans["Q2"].inputs
    result, tap = sources(plans["Q2"])
    tapped = _Flow("Q1", flow_schema(part.tapped.content))
    assert isinstance(compile_text(tap, tapped), Query)
    assert isinstance(compile_text(result, _Flow("Q2", flow_schema(part.delivered.content))), Query)


def test_declarations_read_back_as_the_schema() -> None:
    plan = register_seed_queries(photon_planner(), 1)["Q1"]
    schema = flow_schema(plan.flows[0].content)
    read = read_dtd(declarations(schema))
    assert [leaf.path for leaf in read.leaves()] == [leaf.path for leaf in schema.leaves()]


def test_a_flow_that_is_used_as_it_is_needs_one_plan() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    plan = register(planner, "again", *SEED_QUERIES["Q1"])
    assert found(plan, "//p:plan/@id") == ["again"]
    assert found(plan, "//p:streamreference/@id") == ["Q1:plan-1"]


def test_a_forwarded_flow_is_only_counted() -> None:
    planner = photon_planner()
    register_seed_queries(planner, 1)
    plan = register(planner, "far", SEED_QUERIES["Q1"][0], "SP3")
    inner = "//p:plan[@atPeer='SP1']//p:streamoperator/"
    assert found(plan, inner + "@xsi:type") == ["counterStreamoperatorType"]
    assert found(plan, inner + "p:dependencies/p:streamreference/@id") == ["Q1:plan-1"]


def test_several_inputs_are_nested_side_by_side() -> None:
    planner = photon_planner()
    text = (
        f"for $p in {PHOTON}, $q in {PHOTON} where $p/phc = $q/phc and $p/en >= 1.3"
        " return <pair>{ $p/en }{ $q/en }</pair>"
    )
    plan = register(planner, "pairs", text, "SP5")
    assert found(plan, "/p:plan/p:plan/@id") == ["pairs:1", "pairs:2"]
    assert len(found(plan, "/p:plan/p:add/p:streamoperator/p:source")) == 1
