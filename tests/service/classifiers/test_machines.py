"""Projects with other learners than the usual one."""

import json
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from quorate import Votes
from quorate.errors import QuorateError
from quorate.service.classifiers.named import Named, require_learner
from quorate.service.classifiers.softmax import pack_classifier, predict, unpack_classifier
from quorate.service.decisions.task_state import DECIDED
from quorate.service.learner.loop import Learner
from quorate.service.refit.predict import Environment
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.database import Store
from quorate.service.store.tables import models
from tests.service.classifiers.test_softmax import numbers, right
from tests.service.conftest import Clock
from tests.service.crowds import World, make_world
from tests.service.receiver import Receiver, receiving


def votes_for(probs: Any) -> Votes:
    return Votes.from_matrix(np.repeat(probs.argmax(axis=1)[:, None], 2, axis=1).tolist())


def test_a_learner_by_its_name_comes_back_from_bytes() -> None:
    items, probs = numbers(60)
    model = Named.taught("linear", items, votes_for(probs), probs, lambda name: None)
    assert model is not None
    again = unpack_classifier(pack_classifier(model))
    np.testing.assert_array_equal(predict(again, items), predict(model, items))
    assert right(model.said(items, np.ones(60, bool)), probs) > 0.8


@pytest.mark.parametrize("name", ["recipe", "nothing", "cross_fit"])
def test_what_is_no_learner_is_refused(name: str) -> None:
    with pytest.raises((QuorateError, AttributeError)):
        require_learner(name)


def elsewhere(world: World, receiver: Receiver) -> None:
    """Answer by the features that are sent: their sum is high for the second class."""

    def answer() -> None:
        sent = json.loads(receiver.calls[-1][1])["items"]
        said = [1 / (1 + np.exp(-(sum(one["features"]) - 6) / 2)) for one in sent]
        receiver.body = json.dumps({"probabilities": [[1 - one, one] for one in said]}).encode()
        receiver.statuses.append(200)

    receiver.hold = answer
    receiver.statuses.append(200)
    world.learner = Learner(
        world.store, Environment(allow_private=True), Pace(pause=lambda seconds: None), clock=world.clock
    )


def test_a_model_elsewhere_is_asked_once_per_item(store: Store, clock: Clock) -> None:
    with receiving() as receiver:
        world = make_world(store, clock, 60, learner={"name": "http", "url": receiver.url})
        elsewhere(world, receiver)
        world.to_the_end()
        assert sum(len(json.loads(body)["items"]) for _, body in receiver.calls) == 60
    assert all(row.status in DECIDED for row in world.rows())
    assert all(row.machine is not None for row in world.rows())
    assert any(row.status == "machine" for row in world.rows())
    with store.read() as connection:
        last = connection.execute(select(models).order_by(models.c.id.desc()).limit(1)).one()
    assert last.machine == "given"
    assert last.classifier is None


def test_people_go_on_without_a_model_that_is_gone(
    store: Store, clock: Clock, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quorate.service.classifiers.http.TRIES", 1)
    with receiving() as receiver:
        url = receiver.url
    world = make_world(store, clock, 30, learner={"name": "http", "url": url})
    world.learner = Learner(store, Environment(allow_private=True), Pace(pause=lambda seconds: None), clock=clock)
    world.to_the_end()
    assert "continues without its external model" in caplog.text
    assert {row.status for row in world.rows()} == {"crowd"}
