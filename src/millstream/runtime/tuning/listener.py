"""Listening to a stream elsewhere: what is heard is kept in files that the intake reads.

A file is written whole, and its name tells up to where it was heard: so listening goes on behind
the newest file, after whatever has broken off, and nothing is heard twice.
"""

from __future__ import annotations

import logging
import threading

from millstream.errors import MillstreamError
from millstream.runtime.storage import Storage
from millstream.runtime.tuning.station import Station, Unheard

LOG = logging.getLogger("millstream.tuning")
AT_ONCE = 2000
"""Items that are asked for in one page."""
WAIT = 20.0
"""Seconds that a station may wait for an item before it answers."""
LONGEST_PAUSE = 30.0
_PREFIX = "heard-"


class Listener:
    """Hears one stream, in a thread of its own."""

    def __init__(self, station: Station, storage: Storage, folder: str, root: str) -> None:
        self._station = station
        self._storage = storage
        self._folder = folder
        self._root = root
        """The element around items."""
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._hearing = threading.Lock()
        self.trouble: MillstreamError | None = None
        """Why nothing is heard at the moment."""
        self.finished = False
        """True when nothing will follow."""

    def start(self) -> None:
        """Begin to listen, or go on behind what was heard last."""
        if self._thread is not None and self._thread.is_alive():
            return
        self._stop.clear()
        self._thread = threading.Thread(target=self._listen, daemon=True, name="listener")
        self._thread.start()

    def stop(self) -> None:
        """Stop listening; a page that is on its way is let go."""
        self._stop.set()
        self._thread = None

    def check(self) -> None:
        """Raise what keeps it from ever hearing more."""
        if isinstance(self.trouble, Unheard) and self.trouble.fatal:
            raise self.trouble

    def catch_up(self) -> None:
        """Hear all that there is, and return."""
        while self.hear(wait=0.0):
            pass

    def hear(self, wait: float) -> int:
        """Hear one page and keep it; the number of its items."""
        with self._hearing:
            number, position = self._heard_last()
            page = self._station.heard(position, AT_ONCE, wait)
            if page.items and not self._stop.is_set():
                text = "\n".join((f"<{self._root}>", *page.items, f"</{self._root}>\n"))
                name = f"{_PREFIX}{number + 1:012d}-{page.next}.xml"
                self._storage.write(f"{self._folder}/{name}", text.encode())
            self.finished = page.finished
            return len(page.items)

    def begin_behind(self, position: str) -> None:
        """Let what comes up to a position pass unheard, for one who tunes in late."""
        self._storage.write(f"{self._folder}/{_PREFIX}{0:012d}-{position}.xml", b"")

    def _listen(self) -> None:
        pause = 1.0
        while not self._stop.is_set() and not self.finished:
            try:
                self.hear(WAIT)
                self.trouble, pause = None, 1.0
            except MillstreamError as error:
                if not self._stop.is_set():
                    LOG.warning("%s", error.message)
                    self.trouble = error
                self._stop.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _heard_last(self) -> tuple[int, str | None]:
        """The number of the newest file, and up to where it was heard."""
        names = self._storage.names(self._folder)
        files = [each for each in names if each.startswith(_PREFIX) and each.endswith(".xml")]
        if not files:
            return 0, None
        number, _, position = files[-1].removeprefix(_PREFIX).removesuffix(".xml").partition("-")
        return int(number), position
