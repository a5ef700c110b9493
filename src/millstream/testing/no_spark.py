"""What stands where a Spark session would, for steps that put nothing on Spark."""

from __future__ import annotations


class NoSpark:
    """What a mill asks of a session before anything runs on it."""

    defaultParallelism = 2  # noqa: N815 as Spark calls it

    @property
    def sparkContext(self) -> NoSpark:  # noqa: N802 as Spark calls it
        return self

    @property
    def conf(self) -> NoSpark:
        return self

    def set(self, *_: object) -> None:
        pass

    def newSession(self) -> NoSpark:  # noqa: N802 as Spark calls it
        return self
