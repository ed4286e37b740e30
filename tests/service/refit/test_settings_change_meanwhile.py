"""Settings that take so long to try out that the learner goes on meanwhile."""

import pytest
from sqlalchemy import Connection, select

from quorate.service.refit import settings_change as changing
from quorate.service.refit.fit import KEPT
from quorate.service.refit.inputs import Memory
from quorate.service.refit.round import run_round
from quorate.service.refit.settings_change import Change, Effect, put_in_force
from quorate.service.refit.write_tasks import Pace
from quorate.service.store.database import Store
from quorate.service.store.tables import models, questions
from tests.service.pools import settings
from tests.service.taught import make_taught_project


def test_the_classifier_survives_more_rounds_than_versions_are_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_taught_project(store)
    memory: dict[int, Memory] = {}

    def effect_after_many_rounds(connection: Connection, change: Change) -> Effect:
        for _ in range(KEPT + 1):
            run_round(store, project, memory, pace=Pace(pause=lambda seconds: None))
        return Effect()

    monkeypatch.setattr(changing, "_effect", effect_after_many_rounds)
    other = settings(policy={"name": "fixed_votes", "options": {"n": 1}}, learner={"name": "linear"})
    put_in_force(store, project, other, "ann")
    with store.read() as connection:
        current_model = select(models).join(questions, questions.c.model_id == models.c.id)
        model = connection.execute(current_model).one()
    assert model.metrics["policy"] == "fixed_votes"
    assert model.classifier is not None
