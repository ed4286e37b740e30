from typing import Any

import pytest
from sqlalchemy import select, update

from quorate.service.dashboard.progress import progress
from quorate.service.forecasts import remaining_engine
from quorate.service.forecasts.remaining_engine import TrainingData, forecast_engine
from quorate.service.projects.projects import get
from quorate.service.refit.round import run_round
from quorate.service.store.database import Store
from quorate.service.store.tables import projects
from tests.service.conftest import Clock
from tests.service.crowds import World, make_world
from tests.service.learner.test_publish import CRITERIA
from tests.service.pools import make_voters


def run_to_the_end(world: World, max_rounds: int = 200) -> list[dict[str, Any]]:
    """Run a project to its end, and return its forecasts."""
    forecasts: list[dict[str, Any]] = []
    while world.state != "done":
        world.people_vote(share=0.25)
        world.clock.now += 6.0  # so that a forecast is due in each round
        world.learner.run_due_rounds()
        with world.store.read() as connection:
            forecast = get(connection, world.project).forecast
        if forecast is not None and (not forecasts or forecasts[-1] != forecast):
            forecasts.append(forecast)
        max_rounds -= 1
        assert max_rounds
    return forecasts


def test_the_total_is_forecast_while_people_vote(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 80, learner={"name": "none"}, prices={"votes": {"crowd": 0.5}})
    forecasts = run_to_the_end(world)
    assert len(forecasts) >= 3
    assert [forecast["at"] for forecast in forecasts] == sorted({forecast["at"] for forecast in forecasts})
    early = forecasts[len(forecasts) // 2]
    assert early["votes"]["low"] < world.bought < early["votes"]["high"]
    assert early["spend"]["value"] == pytest.approx(early["votes"]["value"] * 0.5)
    assert early["days"]["value"] > 0
    assert early["errors"] is None  # nobody has audited
    assert forecasts[-1]["votes"]["value"] == pytest.approx(world.bought, rel=0.2)


def test_the_forecast_accounts_for_what_the_classifier_will_learn(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world(store, clock, 240, costs={"error": 50})
    world.accuracy = 0.7
    while (outcome := run_round(store, world.project, {})).learnt[0].waits:
        world.people_vote(share=0.25)
    [result], n_votes = outcome.learnt, outcome.before.votes
    is_open = result.view.snapshot.gold < 0
    learning = forecast_engine(TrainingData(store), result, is_open).votes
    assert TrainingData(store).predict_retrained(result, result.rows) is not None
    monkeypatch.setattr(remaining_engine, "MAX_TRAINING", 10)
    assert TrainingData(store).predict_retrained(result, result.rows) is None  # training would take too long
    monkeypatch.setattr(remaining_engine, "LEARNING_POWER", 0.0)
    fixed = forecast_engine(TrainingData(store), result, is_open).votes
    world.to_the_end()
    to_come = world.bought - n_votes
    assert abs(learning.value - to_come) < abs(fixed.value - to_come) / 2  # a classifier this good learns all at once


def test_a_fixed_number_of_votes_is_forecast_exactly(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 80, policy={"name": "fixed_votes", "options": {"n": 3}}, learner={"name": "none"})
    first, *_ = run_to_the_end(world)
    assert first["made_at"] < 80
    assert first["votes"]["value"] == pytest.approx(240, rel=0.05)


def test_decided_tasks_may_be_reopened(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60, learner={"name": "none"})
    while (outcome := run_round(store, world.project, {})).learnt[0].waits:
        world.people_vote()
    [result] = outcome.learnt
    remaining = forecast_engine(TrainingData(store), result, result.view.snapshot.gold >= 0)  # no task is open
    assert remaining.votes.low == 0 == remaining.spend.low
    assert remaining.votes.value == remaining_engine.REOPENED_SHARE * outcome.before.votes == remaining.spend.value
    assert remaining.votes.high > remaining.votes.value


def test_an_old_forecast_is_not_shown(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60, learner={"name": "none"})

    def forecast_shown() -> Any:
        with store.read() as connection:
            return progress(connection, get(connection, world.project), clock.now)["forecast"]

    while forecast_shown() is None:
        world.people_vote()
        clock.now += 10
        world.learner.run_due_rounds()
    assert "made_at" not in forecast_shown()
    with store.read() as connection:
        stored = get(connection, world.project).forecast
    for changes in ({"made_at": world.bought // 2 - 1}, {"spend": dict.fromkeys(("value", "low", "high"), 1.0)}):
        with store.write() as connection:
            connection.execute(update(projects).values(forecast=stored | changes))
        assert forecast_shown() is None


def test_the_forecast_includes_the_price_of_audits(store: Store, clock: Clock) -> None:
    world = make_world(
        store, clock, 60, learner={"name": "none"}, prices={"votes": {"crowd": 1.0, "expert": 10.0}}, audit_share=0.5
    )
    make_voters(store, world.project, 1, kind="expert")
    for _ in range(8):
        world.people_vote()
        world.learner.run_due_rounds()
    with store.read() as connection:
        forecast = get(connection, world.project).forecast
    assert forecast["spend"]["low"] > forecast["votes"]["low"] + 60 * 0.5 * 9 * 0.5


def test_screening_is_forecast_in_proportion_to_decided_items(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40, kind="screening", questions=CRITERIA, learner={"name": "none"})
    forecasts = run_to_the_end(world)
    assert forecasts[-1]["votes"]["value"] == pytest.approx(world.bought, rel=0.2)


def test_there_is_no_forecast_before_the_first_votes(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60)
    world.people_vote(share=0.3, batch=1)
    assert run_round(store, world.project, {}).learnt[0].waits
    world.learner.run_due_rounds()
    with store.read() as connection:
        assert connection.execute(select(projects.c.forecast)).scalar_one() is None
