"""A Spark standalone cluster on this machine: a master and workers, each a process."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
_ADDRESS = re.compile(r"spark://[\d.]+:\d+")
PATIENCE = 120.0


class Standalone:
    """A master with some workers of one core each."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._master = self._start("master", "master.Master", "--host", "127.0.0.1", "--port", "0")
        self.address = self._found("master", _ADDRESS)
        self.workers = [self.add_worker() for _ in range(workers)]

    def add_worker(self) -> subprocess.Popen[bytes]:
        """One more worker, registered at the master."""
        name = f"worker-{len(list(self._folder.glob('worker-*.log')))}"
        limits = ("--cores", "1", "--memory", "1g", "--work-dir", str(self._folder / name))
        started = self._start(name, "worker.Worker", "--host", "127.0.0.1", *limits, self.address)
        self._found(name, re.compile("Successfully registered with master"))
        return started

    def kill_worker(self, number: int) -> None:
        """Kill a worker with its executors, as when a machine is lost."""
        os.killpg(self.workers[number].pid, signal.SIGKILL)
        self.workers[number].wait()

    def stop(self) -> None:
        for each in (*self.workers, self._master):
            if each.poll() is None:
                os.killpg(each.pid, signal.SIGKILL)
                each.wait()

    def _start(self, name: str, role: str, *options: str) -> subprocess.Popen[bytes]:
        command = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{role}"]
        environment = {
            **os.environ,
            "SPARK_HOME": str(HOME),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(self._folder),
        }
        log = (self._folder / f"{name}.log").open("wb")
        return subprocess.Popen(
            [*command, *options, "--webui-port", "0"],
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )

    def _found(self, name: str, wanted: re.Pattern[str]) -> str:
        """What a process says, waited for."""
        deadline = time.monotonic() + PATIENCE
        log = self._folder / f"{name}.log"
        while time.monotonic() < deadline:
            found = wanted.search(log.read_text(errors="replace"))
            if found is not None:
                return found[0]
            time.sleep(0.2)
        raise TimeoutError(f"{name} did not start:\n{log.read_text(errors='replace')[-3000:]}")
