"""TAG-QL: attaching tags to streams, and asking for tags, by tags and with tags."""

from millstream.languages.tagql.check import check, parse_checked
from millstream.languages.tagql.parser import parse
from millstream.languages.tagql.scope import Catalog, Scope
from millstream.languages.tagql.unparser import unparse

__all__ = ["Catalog", "Scope", "check", "parse", "parse_checked", "unparse"]
