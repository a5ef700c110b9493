"""Peers as processes: each turns its part of a space, and streams travel in packets."""
