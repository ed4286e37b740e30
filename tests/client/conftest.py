from collections.abc import Iterator

import pytest

from quorate.client import Client
from tests.client.stub import Stub, serving


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving() as stub:
        yield stub


@pytest.fixture
def client(stub: Stub) -> Iterator[Client]:
    with Client(stub.url, token="qt_secret") as client:
        yield client
