"""Translated queries answered by SaxonC, an XQuery engine, in this process and on one core."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from millstream.errors import InternalError, QueryError, StateError, UnsupportedError
from millstream.history.filler_document import NAMESPACE, filler_document
from millstream.history.filler_store import FillerStore
from millstream.history.questions import PENDING, answer, answers_document
from millstream.model.lifespan import format_instant

if TYPE_CHECKING:
    from saxonche import (
        PySaxonProcessor,
        PyXdmNode,
        PyXdmValue,
    )

_SERIALIZE = """
declare variable $items external;
for $item in $items
let $printable := if ($item instance of attribute()) then string($item) else $item
return serialize($printable,
  map { "omit-xml-declaration": true(), "method": "xml", "indent": false() })
"""
_FAILURE = re.compile(r"\b(?P<code>[A-Z]{4}\d{4})\b\s*(?P<reason>.*)", re.DOTALL)
_OUR_FAULT = ("XPST", "XQST")
"""Codes of static errors: a translation has none."""
_REWRITING = "http://saxon.sf.net/feature/optimizationLevel"
_MADE_BY_REWRITING = "FORG0006"
"""The error that rewriting makes of empty(.), in some places where there are no nodes."""

Found = TypeVar("Found")


class Evaluator:
    """Some histories, ready to be asked."""

    def __init__(self, stores: Mapping[str, FillerStore]) -> None:
        for name, store in stores.items():
            if store.root_key not in store:
                raise StateError(
                    f"stream '{name}' has no root: no good filler with the id 0 has come",
                    code="no-root",
                )
        self.now = max(store.now for store in stores.values() if store.now is not None)
        """The largest validTime of all."""
        self._stores = stores
        self._fragments = self._parsed(_processor())

    def run(self, xquery: str, now: datetime | None = None) -> list[str]:
        """The items that a translated query gives, each as text."""

        def ask(processor: PySaxonProcessor) -> list[str]:
            usual = processor is _processor()
            fragments = self._fragments if usual else self._parsed(processor)
            value = _answered(processor, xquery, fragments, now or self.now)
            return _serialized(processor, value)

        return _asked(ask)

    def _parsed(self, processor: PySaxonProcessor) -> PyXdmValue:
        texts = ((name, filler_document(store, name)) for name, store in self._stores.items())
        return _fragments(processor, texts)


@dataclass(frozen=True, slots=True)
class KeyedResult:
    """What a query gives for one binding of its variables."""

    keys: tuple[str, ...]
    """What each variable is bound to."""
    items: tuple[str, ...]


def run_keyed(xquery: str, documents: Mapping[str, str], now: datetime) -> Iterator[KeyedResult]:
    """The results of a keyed translation over documents of fillers, in order."""
    value = _asked(
        lambda processor: _answered(
            processor, xquery, _fragments(processor, documents.items()), now
        )
    )
    size = 0 if value is None else value.size
    texts = (value.item_at(place).string_value for place in range(size) if value is not None)
    for count in texts:
        keys = tuple(islice(texts, int(count)))
        yield KeyedResult(keys, tuple(islice(texts, int(next(texts)))))


def _asked(ask: Callable[[PySaxonProcessor], Found]) -> Found:
    """What is found; a query that fails as its rewriting may have made it is asked without that."""
    try:
        return ask(_processor())
    except QueryError as error:
        if error.code != _MADE_BY_REWRITING:
            raise
    return ask(_processor(rewriting=False))


def _fragments(processor: PySaxonProcessor, texts: Iterable[tuple[str, str]]) -> PyXdmValue:
    """Documents of fillers, by the names of their streams."""
    fragments = processor.empty_sequence()
    for name, text in texts:
        fragments.add_xdm_item(_document(processor, name, text))
    return fragments


def _document(processor: PySaxonProcessor, name: str, text: str) -> PyXdmNode:
    from saxonche import PySaxonApiError

    try:
        return processor.parse_xml(xml_text=text)
    except PySaxonApiError as error:
        raise UnsupportedError(
            f"stream '{name}' cannot be queried: {_sentence(str(error))}",
            help="names with prefixes need their namespaces declared in each filler",
        ) from None


def _answered(
    processor: PySaxonProcessor, xquery: str, fragments: PyXdmValue, now: datetime
) -> PyXdmValue | None:
    """What a query gives; functions of Python are asked what it must know, until it knows all."""
    answers: dict[str, str] = {}
    while True:
        engine = processor.new_xquery_processor()
        engine.set_parameter(f"{{{NAMESPACE}}}fragments", fragments)
        time = processor.make_atomic_value("dateTime", format_instant(now))
        engine.set_parameter(f"{{{NAMESPACE}}}now", time)
        if answers:
            told = processor.parse_xml(xml_text=answers_document(answers))
            engine.set_parameter(f"{{{NAMESPACE}}}told", told)
        engine.set_query_content(xquery)
        value = _value(engine.run_query_to_value)
        questions = _questions(value) if PENDING in xquery else []
        if not questions:
            return value
        answers |= {each: answer(each) for each in questions}


def _questions(value: PyXdmValue | None) -> list[str]:
    """What functions must be asked before a query can be answered."""
    if value is None or value.size == 0 or not value.item_at(0).is_node:
        return []
    first = value.item_at(0).get_node_value()
    if first.name != f"Q{{{NAMESPACE}}}pending":
        return []
    return [value.item_at(place).string_value for place in range(value.size)]


def _value(run: Callable[[], PyXdmValue | None]) -> PyXdmValue | None:
    """What a query gives; its failure is that of the query, if it is no slip in the translation."""
    from saxonche import PySaxonApiError

    try:
        return run()
    except PySaxonApiError as error:
        found = _FAILURE.search(str(error))
        code = found["code"] if found else "evaluation"
        reason = _sentence(found["reason"] if found else str(error))
        if code.startswith(_OUR_FAULT):
            raise InternalError(f"the translation is no XQuery: {reason}", code=code) from None
        raise QueryError(f"the query failed: {reason}", code=code) from None


def _serialized(processor: PySaxonProcessor, value: PyXdmValue | None) -> list[str]:
    if value is None or value.size == 0:
        return []
    engine = processor.new_xquery_processor()
    engine.set_parameter("items", value)
    engine.set_query_content(_SERIALIZE)
    texts = _value(engine.run_query_to_value)
    assert texts is not None, "as many texts as items"
    return [texts.item_at(place).string_value for place in range(texts.size)]


def _sentence(message: str) -> str:
    return " ".join(message.split()).rstrip(".")


@cache
def _processor(*, rewriting: bool = True) -> PySaxonProcessor:
    # It starts a virtual machine: once a process, and only if a history is asked.
    from saxonche import PySaxonProcessor

    processor = PySaxonProcessor(license=False)
    if not rewriting:
        processor.set_configuration_property(_REWRITING, "0")
    return processor
