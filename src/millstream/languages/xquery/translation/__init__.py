"""XCQL to plain XQuery over fillers, by three strategies."""

from millstream.languages.xquery.translation.module import Translation, translate
from millstream.languages.xquery.translation.strategy import Strategy

__all__ = ["Strategy", "Translation", "translate"]
