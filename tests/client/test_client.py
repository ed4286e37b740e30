import pytest

from quorate.client import Client, ClientError
from tests.client.stub import Stub


def test_an_address_needs_its_scheme() -> None:
    with pytest.raises(ClientError, match="url must start with http:// or https://, got 'localhost:8000'"):
        Client("localhost:8000")


def test_former_names_work_and_warn(client: Client, stub: Stub) -> None:
    with pytest.warns(FutureWarning, match="the attribute 'doors' is called 'panels'"):
        assert client.doors is client.panels
    stub.say(200, {"votes": 3})
    with pytest.warns(FutureWarning, match="the method 'told' is called 'other_votes'"):
        assert client.work.told(1, 2) == {"votes": 3}
    stub.say(200, {"strategies": {"quorate": 7}})
    with pytest.warns(FutureWarning, match="the method 'foretell' is called 'forecast'"):
        assert client.projects.foretell({}, items=10, accuracy=0.8) == {"quorate": 7}
