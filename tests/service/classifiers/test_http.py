import json

import numpy as np
import pytest

from quorate.errors import QuorateError
from quorate.service.classifiers.http import TRIES, Outside, OutsideError
from quorate.service.classifiers.item import Item
from tests.service.receiver import Receiver, receiving

ITEMS = [Item(1, "text", {"text": "one"}), Item(2, "features", {}, np.array([1.5, 2.0], "<f4").tobytes())]


def model(receiver: Receiver, *, private: bool = True) -> Outside:
    return Outside(
        url=receiver.url, question="pet", classes=("cat", "dog"), allow_private=private, pause=lambda seconds: None
    )


def test_says_what_it_is_asked() -> None:
    with receiving() as receiver:
        receiver.statuses, receiver.body = [200], b'{"probabilities": [[0.75, 0.25], [0.202, 0.807]]}'
        np.testing.assert_allclose(model(receiver).ask(ITEMS), [[0.75, 0.25], [0.202 / 1.009, 0.807 / 1.009]])
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
def test_other_answers_are_refused_in_one_line(body: bytes) -> None:
    with receiving() as receiver:
        receiver.statuses, receiver.body = [200], body
        with pytest.raises(OutsideError) as error:
            model(receiver).ask(ITEMS)
        assert len(receiver.calls) == 1  # to ask again would not help
    assert "\n" not in str(error.value)


def test_the_row_that_does_not_sum_to_one_is_named() -> None:
    with receiving() as receiver:
        receiver.statuses, receiver.body = [200], b'{"probabilities": [[1, 0], [0.5, 0.515]]}'
        with pytest.raises(OutsideError, match=r"model at http.*, row 2: \[0.5, 0.515\], sum 1.015, .*divide each row"):
            model(receiver).ask(ITEMS)


def test_is_asked_again_where_that_may_help() -> None:
    with receiving() as receiver:
        receiver.statuses, receiver.body = [503, 429, 200], b'{"probabilities": [[1, 0], [0, 1]]}'
        assert model(receiver).ask(ITEMS).argmax(axis=1).tolist() == [0, 1]
        receiver.statuses = [500] * TRIES
        with pytest.raises(OutsideError, match="does not answer: it said 500"):
            model(receiver).ask(ITEMS)
        receiver.statuses = [404]
        with pytest.raises(OutsideError, match="404"):
            model(receiver).ask(ITEMS)


def test_one_that_is_not_there_is_told() -> None:
    with receiving() as receiver:
        gone = model(receiver)
    with pytest.raises(OutsideError, match="does not answer"):
        gone.ask(ITEMS)


def test_the_own_network_is_not_called_unless_allowed() -> None:
    with receiving() as receiver, pytest.raises(QuorateError, match="own network"):
        model(receiver, private=False).ask(ITEMS)


def test_answers_without_end_are_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quorate.service.classifiers.http.LARGEST", 10)
    with receiving() as receiver:
        receiver.statuses, receiver.body = [200], b'{"probabilities": [[1, 0], [0, 1]]}'
        with pytest.raises(OutsideError, match="more than 10 bytes"):
            model(receiver).ask(ITEMS)
