"""What a plan costs: the traffic it adds to links and the load it adds to peers."""

from millstream.sharing.cost.function import Overload, cost, overloads, share, toll
from millstream.sharing.cost.loads import REFERENCE_LOADS, BaseLoads, Work, load
from millstream.sharing.cost.state import NetworkState
from millstream.sharing.cost.usage import NOTHING, Usage

__all__ = [
    "NOTHING",
    "REFERENCE_LOADS",
    "BaseLoads",
    "NetworkState",
    "Overload",
    "Usage",
    "Work",
    "cost",
    "load",
    "overloads",
    "share",
    "toll",
]
