"""A broker for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.runtime.kafka.broker import Broker, running_broker


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A broker that is running."""
    with running_broker(tmp_path_factory.mktemp("kafka")) as found:
        yield found
