from collections.abc import Iterator

import pytest

from tests.client.stub import Stub, serving


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving() as found:
        yield found
