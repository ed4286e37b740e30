import pytest

from quorate.client import Client, ClientError
from tests.client.stub import Stub


def test_an_answer_that_lacks_something_is_told(stub: Stub, client: Client) -> None:
    stub.say(200, {"leases": [{"lease": 3, "item": {}}], "state": "work"})
    with pytest.raises(ClientError, match="the Item of the service lacks 'id': use the same version"):
        client.work.next(1)
