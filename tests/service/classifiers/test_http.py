import json

import numpy as np
import pytest

from quorate.errors import QuorateError
from quorate.service.classifiers.http import MAX_ATTEMPTS, HttpClassifier, HttpClassifierError
from quorate.service.classifiers.item import Item
from tests.service.receiver import Receiver, receiving

ITEMS = [Item(1, "text", {"text": "one"}), Item(2, "features", {}, np.array([1.5, 2.0], "<f4").tobytes())]


def classifier(receiver: Receiver, *, private: bool = True) -> HttpClassifier:
    return HttpClassifier(
        url=receiver.url, question="pet", classes=("cat", "dog"), allow_private=private, pause=lambda seconds: None
    )


def test_sends_the_items_and_returns_the_probabilities() -> None:
    with receiving() as receiver:
        receiver.statuses, receiver.body = [200], b'{"probabilities": [[0.75, 0.25], [0.202, 0.807]]}'
        np.testing.assert_allclose(
            classifier(receiver).predict_proba(ITEMS), [[0.75, 0.25], [0.202 / 1.009, 0.807 / 1.009]]
        )
        sent = json.loads(receiver.calls[0][1])
    assert sent["classes"] == ["cat", "dog"]
    assert sent["items"][0] == {"id": 1, "kind": "text", "content": {"text": "one"}, "features": None}
    assert sent["items"][1]["features"] == [1.5, 2.0]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no JSON",
        b"[]",
        b'{"probabilities": 7}',
        b'{"probabilities": [[0.5, 0.5]]}',
        b'{"probabilities": [[0.5, 0.5, 0], [1, 0, 0]]}',
        b'{"probabilities": [[0.5, "x"], [1, 0]]}',
        b'{"probabilities": [[-1, 2], [1, 0]]}',
        b'{"probabilities": [[0, 0], [1, 0]]}',
        b'{"probabilities": [[3, 1], [1, 0]]}',
        b'{"probabilities": [[0.5, 0.515], [1, 0]]}',
        b'{"probabilities": [[0.5, 0.485], [1, 0]]}',
        b'{"probabilities": [[1e999, 1], [1, 0]]}',
        b'{"probabilities": [[null, 1], [1, 0]]}',
    ],
)
def test_invalid_responses_are_refused_in_one_line(body: bytes) -> None:
    with receiving() as receiver:
        receiver.statuses, receiver.body = [200], body
        with pytest.raises(HttpClassifierError) as error:
            classifier(receiver).predict_proba(ITEMS)
        assert len(receiver.calls) == 1  # another attempt would not help
    assert "\n" not in str(error.value)


def test_the_row_that_does_not_sum_to_one_is_named() -> None:
    with receiving() as receiver:
        receiver.statuses, receiver.body = [200], b'{"probabilities": [[1, 0], [0.5, 0.515]]}'
        with pytest.raises(
            HttpClassifierError, match=r"classifier at http.*, row 2: \[0.5, 0.515\], sum 1.015, .*divide each row"
        ):
            classifier(receiver).predict_proba(ITEMS)


def test_busy_servers_are_asked_again() -> None:
    with receiving() as receiver:
        receiver.statuses, receiver.body = [503, 429, 200], b'{"probabilities": [[1, 0], [0, 1]]}'
        assert classifier(receiver).predict_proba(ITEMS).argmax(axis=1).tolist() == [0, 1]
        receiver.statuses = [500] * MAX_ATTEMPTS
        with pytest.raises(HttpClassifierError, match="does not respond: its status is 500"):
            classifier(receiver).predict_proba(ITEMS)
        receiver.statuses = [404]
        with pytest.raises(HttpClassifierError, match="404"):
            classifier(receiver).predict_proba(ITEMS)


def test_a_server_that_is_down_is_reported() -> None:
    with receiving() as receiver:
        unreachable = classifier(receiver)
    with pytest.raises(HttpClassifierError, match="does not respond"):
        unreachable.predict_proba(ITEMS)


def test_the_own_network_is_not_called_unless_allowed() -> None:
    with receiving() as receiver, pytest.raises(QuorateError, match="own network"):
        classifier(receiver, private=False).predict_proba(ITEMS)


def test_large_responses_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quorate.service.classifiers.http.MAX_BYTES", 10)
    with receiving() as receiver:
        receiver.statuses, receiver.body = [200], b'{"probabilities": [[1, 0], [0, 1]]}'
        with pytest.raises(HttpClassifierError, match="more than 10 bytes"):
            classifier(receiver).predict_proba(ITEMS)
