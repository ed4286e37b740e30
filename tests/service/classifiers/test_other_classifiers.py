"""Projects with other classifiers than the default one."""

import json
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from quorate import Votes
from quorate.errors import QuorateError
from quorate.service.classifiers.library_learner import LibraryLearner, require_learner
from quorate.service.classifiers.softmax import pack_classifier, predict, unpack_classifier
from quorate.service.decisions.task_state import DECIDED
from quorate.service.learner.loop import Learner
from quorate.service.refit.predict import Environment
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.database import Store
from quorate.service.store.tables import models
from tests.service.classifiers.test_softmax import accuracy, numbers
from tests.service.conftest import Clock
from tests.service.crowds import World, make_world
from tests.service.receiver import Receiver, receiving


def votes_for(probs: Any) -> Votes:
    return Votes.from_matrix(np.repeat(probs.argmax(axis=1)[:, None], 2, axis=1).tolist())


def test_a_library_learner_is_the_same_after_packing() -> None:
    items, probs = numbers(60)
    model = LibraryLearner.fit("linear", items, votes_for(probs), probs, lambda name: None)
    assert model is not None
    again = unpack_classifier(pack_classifier(model))
    np.testing.assert_array_equal(predict(again, items), predict(model, items))
    assert accuracy(model.predict_proba(items, np.ones(60, bool)), probs) > 0.8


@pytest.mark.parametrize("name", ["recipe", "nothing", "cross_fit"])
def test_names_of_other_methods_are_refused(name: str) -> None:
    with pytest.raises((QuorateError, AttributeError)):
        require_learner(name)


def use_http_classifier(world: World, receiver: Receiver) -> None:
    """Let the receiver classify items by the sum of their features, which is high for the second class."""

    def answer() -> None:
        items = json.loads(receiver.calls[-1][1])["items"]
        probs = [1 / (1 + np.exp(-(sum(item["features"]) - 6) / 2)) for item in items]
        receiver.body = json.dumps({"probabilities": [[1 - prob, prob] for prob in probs]}).encode()
        receiver.statuses.append(200)

    receiver.hold = answer
    receiver.statuses.append(200)
    world.learner = Learner(
        world.store, Environment(allow_private=True), Pace(pause=lambda seconds: None), clock=world.clock
    )


def test_an_http_classifier_is_asked_once_per_item(store: Store, clock: Clock) -> None:
    with receiving() as receiver:
        world = make_world(store, clock, 60, learner={"name": "http", "url": receiver.url})
        use_http_classifier(world, receiver)
        world.to_the_end()
        assert sum(len(json.loads(body)["items"]) for _, body in receiver.calls) == 60
    assert all(row.status in DECIDED for row in world.rows())
    assert all(row.machine is not None for row in world.rows())
    assert any(row.status == "machine" for row in world.rows())
    with store.read() as connection:
        last = connection.execute(select(models).order_by(models.c.id.desc()).limit(1)).one()
    assert last.machine == "given"
    assert last.classifier is None


def test_people_continue_when_an_http_classifier_is_down(
    store: Store, clock: Clock, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quorate.service.classifiers.http.MAX_ATTEMPTS", 1)
    with receiving() as receiver:
        url = receiver.url
    world = make_world(store, clock, 30, learner={"name": "http", "url": url})
    world.learner = Learner(store, Environment(allow_private=True), Pace(pause=lambda seconds: None), clock=clock)
    world.to_the_end()
    assert "continues without its external model" in caplog.text
    assert {row.status for row in world.rows()} == {"crowd"}
