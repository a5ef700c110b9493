"""Random schemas, items and queries for hypothesis, small enough that values collide.

Hypothesis is a test dependency: nothing outside this package and the tests may import it.
"""

from millstream.testing.strategies.items import arrivals, items
from millstream.testing.strategies.queries import Shape, queries
from millstream.testing.strategies.schemas import schemas

__all__ = ["Shape", "arrivals", "items", "queries", "schemas"]
