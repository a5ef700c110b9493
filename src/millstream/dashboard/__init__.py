"""The dashboard: pages for the browser, a client of the HTTP API and of nothing else."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).parent / "static"
"""The folder of its files; they are served as they are."""
