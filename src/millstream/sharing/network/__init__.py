"""The backbone of super-peers: its shapes, and the paths that streams take through it."""

from millstream.sharing.network.paths import Paths, link_weights
from millstream.sharing.network.topologies import cube, grid, limited, small, topology

__all__ = ["Paths", "cube", "grid", "limited", "link_weights", "small", "topology"]
