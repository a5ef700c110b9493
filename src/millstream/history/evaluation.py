"""Translated queries answered by SaxonC, an XQuery engine, in this process and on one core."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from millstream.errors import InternalError, QueryError, StateError, UnsupportedError
from millstream.history.filler_document import NAMESPACE, filler_document
from millstream.history.filler_store import FillerStore
from millstream.model.lifespan import format_instant

if TYPE_CHECKING:
    from saxonche import PySaxonProcessor, PyXdmNode, PyXdmValue

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
        self._documents = [_parsed(name, store) for name, store in stores.items()]

    def run(self, xquery: str, now: datetime | None = None) -> list[str]:
        """The items that a translated query gives, each as text."""
        engine = _processor().new_xquery_processor()
        engine.set_parameter(f"{{{NAMESPACE}}}fragments", self._fragments())
        engine.set_parameter(f"{{{NAMESPACE}}}now", _time(now or self.now))
        engine.set_query_content(xquery)
        return _serialized(_value(engine.run_query_to_value))

    def _fragments(self) -> PyXdmValue:
        fragments = _processor().empty_sequence()
        for document in self._documents:
            fragments.add_xdm_item(document)
        return fragments


def _parsed(name: str, store: FillerStore) -> PyXdmNode:
    from saxonche import PySaxonApiError

    try:
        return _processor().parse_xml(xml_text=filler_document(store, name))
    except PySaxonApiError as error:
        raise UnsupportedError(
            f"stream '{name}' cannot be queried: {_sentence(str(error))}",
            help="names with prefixes need their namespaces declared in each filler",
        ) from None


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


def _serialized(value: PyXdmValue | None) -> list[str]:
    if value is None or value.size == 0:
        return []
    engine = _processor().new_xquery_processor()
    engine.set_parameter("items", value)
    engine.set_query_content(_SERIALIZE)
    texts = _value(engine.run_query_to_value)
    assert texts is not None, "as many texts as items"
    return [texts.item_at(place).string_value for place in range(texts.size)]


def _time(instant: datetime) -> PyXdmValue:
    return _processor().make_atomic_value("dateTime", format_instant(instant))


def _sentence(message: str) -> str:
    return " ".join(message.split()).rstrip(".")


@cache
def _processor() -> PySaxonProcessor:
    # It starts a virtual machine: once a process, and only if a history is asked.
    from saxonche import PySaxonProcessor

    return PySaxonProcessor(license=False)
