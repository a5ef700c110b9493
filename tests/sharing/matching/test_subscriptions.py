"""Whole subscriptions with several inputs."""

from __future__ import annotations

from millstream.sharing.matching import match_properties
from tests.sharing.photon_properties import PHOTON, properties

JOIN = f"""
    for $p in {PHOTON}, $s in stream("sky")/sky/source
    where $p/en > 2 and $p/phc = $s/obs/@id return <r>{{ $p/en, $s/name }}</r>"""
WIDER = JOIN.replace("$p/en > 2", "$p/en > 1")


def test_every_input_is_matched_by_itself() -> None:
    answer = match_properties(properties(JOIN), properties(WIDER))
    assert answer.reusable and next(str(each.residual) for each in answer.inputs) == "en > 2"


def test_one_input_that_is_not_answered_is_enough_for_a_no() -> None:
    answer = match_properties(properties(WIDER), properties(JOIN))
    assert not answer.reusable
    (failed,) = answer.failed
    assert failed.text == (
        "input 1 (photons): the stream needs en > 2; the new subscription allows en down to 1"
    )


def test_inputs_may_be_answered_by_any_that_flows() -> None:
    several = f"""<r>{{ for $s in stream("sky")/sky/source return $s,
        for $p in {PHOTON} return $p }}</r>"""
    assert match_properties(properties(JOIN), properties(several)).reusable


def test_a_stream_that_is_not_read_is_told() -> None:
    alone = f"for $p in {PHOTON} return $p"
    answer = match_properties(properties(JOIN), properties(alone))
    (failed,) = answer.failed
    assert failed.text == ("input 2 (sky): the stream is made from 'photons', asked for is 'sky'")
