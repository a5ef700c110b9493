"""XCQL on Spark: expressions of the algebra to one SQL statement over the tables of fillers.

`compile_query(expression, catalog, from_root=…)` gives a `Plan`: SQL that asks for one parameter,
`:now` (microseconds since 1970), and reads the views that the catalog names. Each row of its
result is one binding of all `for` variables of the outermost loop, with

  k0, k1, …   the order of the results: rows sorted by these columns, as `Plan.order` says
  b0, b1, …   structs (table, id, version) of the fillers that the variables stand in: what a
              continuous query knows a result by
  items       the serialized items that the binding gives, an array of strings

What cannot be said in SQL raises Untranslatable with the reason and the place in the text; whoever
asked then has the query answered by an engine for all of XQuery.
"""

from millstream.compiler.history.catalog import Catalog, StreamTables
from millstream.compiler.history.plan import Plan, compile_query
from millstream.compiler.history.untranslatable import Untranslatable

__all__ = ["Catalog", "Plan", "StreamTables", "Untranslatable", "compile_query"]
