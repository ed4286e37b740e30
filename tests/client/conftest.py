from collections.abc import Iterator

import pytest

from quorate.client import Client
from tests.client.stub import Stub, serving


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving() as found:
        yield found


@pytest.fixture
def client(stub: Stub) -> Iterator[Client]:
    with Client(stub.url, token="qt_secret") as found:
        yield found
