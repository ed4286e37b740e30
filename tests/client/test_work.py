from typing import Any

import pytest

from quorate.client import Client, Vote
from tests.client.stub import HANG_UP, Stub

LEASE = {
    "lease": 3,
    "task": 7,
    "question": "label",
    "item": {"id": 7, "kind": "text", "content": {"text": "A cat."}},
    "expires_at": 12.5,
    "of a newer service": True,
}


def test_leases_are_typed(stub: Stub, client: Client) -> None:
    stub.say(200, {"leases": [LEASE], "state": "work", "retry_after": 0})
    batch = client.work.next(1, 2)
    assert batch.leases[0].item.content["text"] == "A cat."
    assert batch.leases[0].lease == 3
    method, path, body, headers = stub.asked[0]
    assert (method, path, body) == ("POST", "/api/projects/1/next", {"n": 2})
    assert headers["Authorization"] == "Bearer qt_secret"


def test_a_vote_sent_again_has_the_same_key(stub: Stub, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quorate.client.connection.FIRST_PAUSE", 0.0)
    stub.say(HANG_UP)
    stub.say(200, {"votes": [{"vote": 9, "right": None, "key": "k", "outcome": "repeated"}]})
    assert client.work.vote(1, 3, "cat", seconds=2.5).outcome == "repeated"
    first, second = (body for _, _, body, _ in stub.asked)
    assert first == second
    assert first["votes"][0]["key"]


def test_every_vote_has_a_key_of_its_own() -> None:
    assert Vote(lease=1).key != Vote(lease=1).key


def test_skips_have_no_label(stub: Stub, client: Client) -> None:
    response: dict[str, Any] = {"votes": [{"vote": 9, "right": None, "key": "k", "outcome": "counted"}]}
    stub.say(200, response)
    stub.say(200, response)
    client.work.skip(1, 3, note="blurred")
    client.work.skip(1, 3, unsure=True)
    sent = [body["votes"][0] for _, _, body, _ in stub.asked]
    assert [(vote["said"], vote.get("note"), "label" in vote) for vote in sent] == [
        ("skip", "blurred", False),
        ("unsure", None, False),
    ]
