"""Queries rewritten for the network: what runs at a tap, and what is left for the subscriber."""

from millstream.sharing.rewriting.place import Place
from millstream.sharing.rewriting.post_processing import post_processing
from millstream.sharing.rewriting.projection import projected
from millstream.sharing.rewriting.taps import items_tap, windows_tap
from millstream.sharing.rewriting.window_items import WindowItems

__all__ = ["Place", "WindowItems", "items_tap", "post_processing", "projected", "windows_tap"]
