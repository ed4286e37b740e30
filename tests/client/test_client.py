import pytest

from quorate.client import Client, ClientError


def test_an_address_needs_its_scheme() -> None:
    with pytest.raises(ClientError, match="url must start with http:// or https://, got 'localhost:8000'"):
        Client("localhost:8000")
