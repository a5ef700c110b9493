"""XQuery engines that hold the document itself: SaxonC in this process, BaseX in its own."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.history.xmark import STREAM, plain

JAR = Path("/usr/share/java/basex.jar")
"""Where Debian's package basex keeps it."""

_TOTAL = re.compile(r"(Parsing|Compiling|Optimizing|Evaluating|Printing): ([\d.]+) ms")
_CREATED = re.compile(r"created in ([\d.]+) ms")


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer and what it took."""

    items: str | None
    """None if it was not waited for."""
    seconds: float
    """If it was not waited for, how long it had; it would have taken more."""


@dataclass(slots=True)
class Saxon:
    """SaxonC-HE with the document in memory."""

    file: Path
    load_seconds: float = 0.0
    _node: Any = None
    _processor: Any = None

    name = "SaxonC"

    def load(self) -> None:
        from saxonche import PySaxonProcessor

        self._processor = PySaxonProcessor(license=False)
        started = time.perf_counter()
        self._node = self._processor.parse_xml(xml_text=self.file.read_text(encoding="utf-8"))
        self.load_seconds = time.perf_counter() - started

    def ask(self, question: str) -> Asked:
        query = plain(question).replace(STREAM, "$site")
        # What a query declares stays in front of what is asked of each item.
        declared, end, body = query.rpartition("};")
        text = (
            f"declare variable $site external; {declared}{end} "
            f"for $item in ({body}) return serialize($item, map {{ 'method': 'xml', "
            "'indent': false(), 'omit-xml-declaration': true() })"
        )
        engine = self._processor.new_xquery_processor()
        engine.set_parameter("site", self._node)
        started = time.perf_counter()
        engine.set_query_content(text)
        found = engine.run_query_to_value()
        size = 0 if found is None else found.size
        items = [found.item_at(place).string_value for place in range(size)]
        return Asked("\n".join(items), time.perf_counter() - started)


@dataclass(slots=True)
class BaseX:
    """BaseX with the document in a database of its own; its own clock, without its start."""

    file: Path
    warm_runs: int = 2
    """A virtual machine that has just started is slow: so many runs come before the one counted."""
    limit: float = 240.0
    """So many seconds it is waited for."""
    load_seconds: float = 0.0
    _home: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="basex-")))

    name = "BaseX"

    def load(self) -> None:
        # As it stands, or white space at the ends of texts would be lost.
        output = self._run("-c", "SET CHOP false", "-c", f"CREATE DB auction {self.file}")
        found = _CREATED.search(output)
        self.load_seconds = float(found[1]) / 1000 if found else float("nan")

    def ask(self, question: str) -> Asked:
        query = self._home / "query.xq"
        query.write_text(plain(question).replace(STREAM, 'db:open("auction")'), encoding="utf-8")
        answer = self._home / "answer.xml"
        options = ("-sindent=no", "-somit-xml-declaration=yes", "-sitem-separator=\n")
        runs = 1 + self.warm_runs
        try:
            output = self._run(*options, "-o", str(answer), *runs * ("-c", f"RUN {query}"))
        except subprocess.TimeoutExpired:
            return Asked(None, self.limit / runs)
        times = [float(each) for _, each in _TOTAL.findall(output)]
        seconds = sum(times[-len(times) // runs :]) / 1000
        text = answer.read_text(encoding="utf-8")
        return Asked(text[: len(text) // runs].rstrip("\n"), seconds)

    def _run(self, *arguments: str) -> str:
        command = ["java", "-Xmx4g", f"-Dorg.basex.path={self._home}", "-cp", str(JAR)]
        done = subprocess.run(
            [*command, "org.basex.BaseX", "-V", *arguments],
            capture_output=True,
            text=True,
            timeout=self.limit,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"basex failed: {done.stderr.strip()[:400]}")
        return done.stderr + done.stdout

    def close(self) -> None:
        shutil.rmtree(self._home, ignore_errors=True)


def has_basex() -> bool:
    """True if Debian's package basex is installed."""
    return JAR.exists() and shutil.which("java") is not None
