from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from quorate.service.dashboard.overview import overview
from quorate.service.learner import publish as telling
from quorate.service.projects.projects import get
from quorate.service.routes import progress
from quorate.service.store.database import Record, Store
from quorate.service.store.tables import points, voters
from tests.service.conftest import Clock
from tests.service.crowds import World, make_world
from tests.service.pools import make_voters
from tests.service.routes.managing import as_stranger, client_of
from tests.service.waiting import PATIENCE

CRITERIA = [{"name": name, "classes": ["no", "yes"], "holds": "yes"} for name in ("adults", "trial")]


def points_of(world: World) -> list[Record]:
    with world.store.read() as connection:
        return list(connection.execute(select(points).order_by(points.c.id)))


def is_behind(world: World) -> bool:
    return world.learner.projects[world.project].teller.behind


def shown(store: Store, project: int, folder: Path) -> Any:
    with client_of(store, folder, progress.router) as client:
        answer = client.get(f"/api/projects/{project}/progress")
        assert answer.status_code == 200, answer.text
        return answer.json()


def test_the_curves_of_a_project_lead_to_where_it_stands(store: Store, clock: Clock, tmp_path: Path) -> None:
    world = make_world(store, clock, 120)
    world.to_the_end()
    found = shown(store, world.project, tmp_path)
    curve = found["points"]
    assert len(curve) > 3
    assert [point["at"] for point in curve] == sorted(point["at"] for point in curve)
    assert [point["votes"] for point in curve] == sorted(point["votes"] for point in curve)
    assert all(sum(point["statuses"].values()) == 120 for point in curve)
    with store.read() as connection:
        stands = overview(connection, get(connection, world.project))
    assert curve[-1]["statuses"] == stands["tasks"]["pet"]
    assert (curve[-1]["votes"], curve[-1]["spent"]) == (stands["votes"], stands["spent"])
    assert (curve[0]["votes"], curve[0]["risk"]) == (0, None)  # as it was opened
    assert curve[1]["risk"] > 0.2  # two classes, of which little was known
    assert curve[-1]["risk"] == pytest.approx(world.wrong(), abs=0.04)
    assert found["estimated_error"] == pytest.approx(curve[-1]["risk"], abs=1e-9)  # all were accepted, by no expert
    assert found["forecast"]["spend"] == dict.fromkeys(("value", "low", "high"), stands["spent"])  # it is done
    assert found["certificate"] is None
    assert found["votes_per_hour"] > 0
    assert [(one["votes"], one["spend"]) for one in found["fixed"]] == [(3, 360.0), (5, 600.0)]


TWO = [{"name": "pet", "classes": ["cat", "dog"]}, {"name": "coat", "classes": ["long", "short", "none"]}]


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    [
        {"questions": TWO},
        {"policy": {"name": "fixed_votes", "options": {"n": 2}}, "learner": {"name": "none"}},
        {"policy": {"name": "threshold"}},
        {"policy": {"name": "expected_loss", "options": {"fusion": "average"}}},
        {"policy": {"name": "expected_loss", "options": {"fusion": "crowdlab"}}},
        {"costs": {"error": 20, "unclassifiable": 2}},
        {"budget": 60},
        {"budget": 60, "rest": "undecided"},
        {"prices": {"votes": {"expert": 1.0}}},
    ],
)
def test_projects_of_all_kinds_are_told_of(
    tmp_path: Path, clock: Clock, changes: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'quorate.db'}", clock=clock)
    store.create_tables()
    world = make_world(store, clock, 30, **changes)
    world.voters += make_voters(store, world.project, 1, kind="expert")
    for _ in range(12):
        world.people_vote()
        clock.now += 10
        world.learner.look()
    assert "without being told of" not in caplog.text
    found = shown(store, world.project, tmp_path)
    assert len(found["points"]) > 1
    assert sum(found["points"][-1]["statuses"].values()) == 30 * len(changes.get("questions", [1]))
    assert found["points"][-1]["risk"] is None or 0 <= found["points"][-1]["risk"] <= 1
    store.close()


def test_a_project_without_items_is_told_of(store: Store, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    world = make_world(store, clock, 0)
    world.learner.look()
    assert "without being told of" not in caplog.text
    [point] = points_of(world)
    assert (point.votes, point.statuses, point.risk, point.error) == (0, {}, None, None)


def test_nothing_is_added_where_nothing_has_changed(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40)
    world.people_vote(share=1.0)
    world.learner.look()
    before = len(points_of(world))
    assert before == 2  # one as it was opened
    world.learner.projects[world.project].watch.learnt = None  # as after a restart
    assert world.learner.look() == 1
    assert len(points_of(world)) == before


def test_the_risk_before_the_first_vote_is_told(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40)
    for _ in range(2):
        world.learner.projects.clear()
        world.learner.look()
        assert [(row.votes, row.risk is None) for row in points_of(world)] == [(0, True), (0, False)]


def test_what_was_left_out_is_told_when_there_is_time(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40, learner={"name": "none"})

    def reported() -> Any:
        with store.read() as connection:
            return connection.execute(select(voters.c.judged).where(voters.c.id == world.voters[0])).scalar_one()

    def some_vote() -> None:
        for voter in world.voters[:4]:
            world.one_votes(voter, 5)

    some_vote()
    assert world.learner.look() == 1
    before = reported()
    assert (is_behind(world), before["votes"]) == (False, 5)
    some_vote()
    assert world.learner.look() == 1  # at once: there is something to learn, but it was told a moment ago
    assert is_behind(world)
    assert reported() == before
    assert world.learner.look() == 0
    clock.now += 5
    assert world.learner.look() == 1  # nobody has voted
    assert not is_behind(world)
    assert reported()["votes"] == 10
    clock.now += 5
    assert world.learner.look() == 1  # what it will cost was foretold at the first votes only
    clock.now += 10
    assert world.learner.look() == 0


def test_a_forecast_that_was_left_out_is_made_though_nobody_votes_any_more(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60, policy={"name": "fixed_votes", "options": {"n": 2}}, learner={"name": "none"})

    def foretold() -> Any:
        with store.read() as connection:
            return get(connection, world.project).forecast

    for some in (world.voters[:3], world.voters[3:7]):
        for voter in some:
            world.one_votes(voter, 5)
        assert world.learner.look() == 1
    for _ in range(2):  # first it is time for a report, then for a forecast
        assert foretold() is None
        clock.now += 5
        assert world.learner.look() == 1
    assert foretold()["made_at"] == 35


def test_criteria_are_counted_together_and_items_are_at_risk(store: Store, clock: Clock, tmp_path: Path) -> None:
    world = make_world(store, clock, 40, kind="screening", questions=CRITERIA)
    for _ in range(12):
        world.people_vote()
        world.learner.look()
    last = shown(store, world.project, tmp_path)["points"][-1]
    assert sum(last["statuses"].values()) == 80
    rows = points_of(world)
    assert rows[1].risk > rows[-1].risk >= 0
    assert all(row.risk <= 0.5 for row in rows[1:])


def test_what_is_told_never_stops_what_is_learnt(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*given: Any) -> None:
        raise ValueError("no ink")

    monkeypatch.setattr(telling, "add_point", broken)
    world = make_world(store, clock, 40)
    world.to_the_end()
    assert world.state == "done"
    assert "no ink" in caplog.text
    assert len(points_of(world)) == 1  # of its start


def test_only_those_who_may_look_into_a_project_see_it(store: Store, clock: Clock, tmp_path: Path) -> None:
    project = make_world(store, clock, 10).project
    with client_of(store, tmp_path, progress.router) as client:
        path = f"/api/projects/{project}/progress"
        assert [point["votes"] for point in client.get(path).json()["points"]] == [0]
        assert client.get(path, headers=as_stranger(store)).status_code == 403
        assert client.get("/api/projects/999/progress").status_code == 404
        assert httpx.get(str(client.base_url).rstrip("/") + path, timeout=PATIENCE).status_code == 401
