from typing import Any

import pytest
from sqlalchemy import select, update

from quorate.service.dashboard.progress import progress
from quorate.service.forecasts import remaining_engine as rest_of_learning
from quorate.service.forecasts.remaining_engine import School
from quorate.service.projects.projects import get
from quorate.service.refit.round import run_round
from quorate.service.store.database import Store
from quorate.service.store.tables import projects
from tests.service.conftest import Clock
from tests.service.crowds import World, make_world
from tests.service.learner.test_publish import CRITERIA
from tests.service.pools import make_voters


def forecasts_until_the_end(world: World, most: int = 200) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while world.state != "done":
        world.people_vote(share=0.25)
        world.clock.now += 6.0  # so that each round may foretell
        world.learner.look()
        with world.store.read() as connection:
            forecast = get(connection, world.project).forecast
        if forecast is not None and (not found or found[-1] != forecast):
            found.append(forecast)
        most -= 1
        assert most
    return found


def test_the_finish_is_foretold_while_people_work(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 80, learner={"name": "none"}, prices={"votes": {"crowd": 0.5}})
    found = forecasts_until_the_end(world)
    assert len(found) >= 3
    assert [one["at"] for one in found] == sorted({one["at"] for one in found})
    early = found[len(found) // 2]
    assert early["votes"]["low"] < world.bought < early["votes"]["high"]
    assert early["spend"]["value"] == pytest.approx(early["votes"]["value"] * 0.5)
    assert early["days"]["value"] > 0
    assert early["errors"] is None  # nobody has audited
    assert found[-1]["votes"]["value"] == pytest.approx(world.bought, rel=0.2)


def test_what_the_classifier_is_still_to_learn_is_foretold(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world(store, clock, 240, costs={"error": 50})
    world.accuracy = 0.7
    while (outcome := run_round(store, world.project, {})).learnt[0].waits:
        world.people_vote(share=0.25)
    [one], n_votes = outcome.learnt, outcome.before.votes
    is_open = one.view.snapshot.gold < 0
    found = rest_of_learning.rest_of_learning(School(store), one, is_open).votes
    assert School(store).said_now(one, one.rows) is not None
    monkeypatch.setattr(rest_of_learning, "MOST_TAUGHT", 10)
    assert School(store).said_now(one, one.rows) is None  # of so many, a lesson takes too long
    monkeypatch.setattr(rest_of_learning, "FALL", 0.0)
    frozen = rest_of_learning.rest_of_learning(School(store), one, is_open).votes
    world.to_the_end()
    rest = world.bought - n_votes
    assert abs(found.value - rest) < abs(frozen.value - rest) / 2  # a classifier this good learns all at once


def test_so_many_votes_on_each_item_are_foretold_as_they_are(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 80, policy={"name": "fixed_votes", "options": {"n": 3}}, learner={"name": "none"})
    first, *_ = forecasts_until_the_end(world)
    assert first["made_at"] < 80
    assert first["votes"]["value"] == pytest.approx(240, rel=0.05)


def test_what_was_decided_may_be_asked_about_again(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60, learner={"name": "none"})
    while (outcome := run_round(store, world.project, {})).learnt[0].waits:
        world.people_vote()
    [one], nothing = outcome.learnt, outcome.learnt[0].view.snapshot.gold >= 0
    rest = rest_of_learning.rest_of_learning(School(store), one, nothing)
    assert rest.votes.low == 0 == rest.spend.low
    assert rest.votes.value == rest_of_learning.AGAIN * outcome.before.votes == rest.spend.value
    assert rest.votes.high > rest.votes.value


def test_an_old_forecast_is_not_shown(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60, learner={"name": "none"})

    def forecast_shown() -> Any:
        with store.read() as connection:
            return progress(connection, get(connection, world.project), clock.now)["forecast"]

    while forecast_shown() is None:
        world.people_vote()
        clock.now += 10
        world.learner.look()
    assert "made_at" not in forecast_shown()
    with store.read() as connection:
        made = get(connection, world.project).forecast
    for changes in ({"made_at": world.bought // 2 - 1}, {"spend": dict.fromkeys(("value", "low", "high"), 1.0)}):
        with store.write() as connection:
            connection.execute(update(projects).values(forecast=made | changes))
        assert forecast_shown() is None


def test_audits_to_come_are_paid_for(store: Store, clock: Clock) -> None:
    world = make_world(
        store, clock, 60, learner={"name": "none"}, prices={"votes": {"crowd": 1.0, "expert": 10.0}}, audit_share=0.5
    )
    make_voters(store, world.project, 1, kind="expert")
    for _ in range(8):
        world.people_vote()
        world.learner.look()
    with store.read() as connection:
        forecast = get(connection, world.project).forecast
    assert forecast["spend"]["low"] > forecast["votes"]["low"] + 60 * 0.5 * 9 * 0.5


def test_criteria_are_foretold_in_proportion(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40, kind="screening", questions=CRITERIA, learner={"name": "none"})
    found = forecasts_until_the_end(world)
    assert found[-1]["votes"]["value"] == pytest.approx(world.bought, rel=0.2)


def test_before_the_first_votes_are_in_nothing_is_foretold(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60)
    world.people_vote(share=0.3, batch=1)
    assert run_round(store, world.project, {}).learnt[0].waits
    world.learner.look()
    with store.read() as connection:
        assert connection.execute(select(projects.c.forecast)).scalar_one() is None
