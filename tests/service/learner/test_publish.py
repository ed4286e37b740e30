from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from quorate.service.dashboard.overview import overview
from quorate.service.learner import publish
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


def report_pending(world: World) -> bool:
    return world.learner.projects[world.project].publisher.report_pending


def get_progress(store: Store, project: int, folder: Path) -> Any:
    with client_of(store, folder, progress.router) as client:
        answer = client.get(f"/api/projects/{project}/progress")
        assert answer.status_code == 200, answer.text
        return answer.json()


def test_the_curves_of_a_project_end_at_its_present_counts(store: Store, clock: Clock, tmp_path: Path) -> None:
    world = make_world(store, clock, 120)
    world.to_the_end()
    page = get_progress(store, world.project, tmp_path)
    curve = page["points"]
    assert len(curve) > 3
    assert [point["at"] for point in curve] == sorted(point["at"] for point in curve)
    assert [point["votes"] for point in curve] == sorted(point["votes"] for point in curve)
    assert all(sum(point["statuses"].values()) == 120 for point in curve)
    with store.read() as connection:
        counts = overview(connection, get(connection, world.project))
    assert curve[-1]["statuses"] == counts["tasks"]["pet"]
    assert (curve[-1]["votes"], curve[-1]["spent"]) == (counts["votes"], counts["spent"])
    assert (curve[0]["votes"], curve[0]["risk"]) == (0, None)  # at the start
    assert curve[1]["risk"] > 0.2  # two classes, and few votes
    assert curve[-1]["risk"] == pytest.approx(world.wrong(), abs=0.04)
    assert page["estimated_error"] == pytest.approx(curve[-1]["risk"], abs=1e-9)  # all labels were accepted
    assert page["forecast"]["spend"] == dict.fromkeys(("value", "low", "high"), counts["spent"])  # the project is done
    band = page["estimated_error_band"]
    assert band["value"] == page["estimated_error"]
    assert band == {"value": band["value"], "low": band["value"] / 2, "high": band["value"] * 2}
    assert page["certificate"] is None
    assert page["votes_per_hour"] > 0
    assert [(baseline["votes"], baseline["spend"]) for baseline in page["fixed"]] == [(3, 360.0), (5, 600.0)]


TWO_QUESTIONS = [{"name": "pet", "classes": ["cat", "dog"]}, {"name": "coat", "classes": ["long", "short", "none"]}]


@pytest.mark.long
@pytest.mark.parametrize(
    "changes",
    [
        {"questions": TWO_QUESTIONS},
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
def test_projects_of_all_kinds_are_published(
    tmp_path: Path, clock: Clock, changes: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'quorate.db'}", clock=clock)
    store.create_tables()
    world = make_world(store, clock, 30, **changes)
    world.voters += make_voters(store, world.project, 1, kind="expert")
    for _ in range(12):
        world.people_vote()
        clock.now += 10
        world.learner.run_due_rounds()
    assert "could not be written" not in caplog.text
    curve = get_progress(store, world.project, tmp_path)["points"]
    assert len(curve) > 1
    assert sum(curve[-1]["statuses"].values()) == 30 * len(changes.get("questions", [1]))
    assert curve[-1]["risk"] is None or 0 <= curve[-1]["risk"] <= 1
    store.close()


def test_a_project_without_items_is_published(store: Store, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    world = make_world(store, clock, 0)
    world.learner.run_due_rounds()
    assert "could not be written" not in caplog.text
    [point] = points_of(world)
    assert (point.votes, point.statuses, point.risk, point.error) == (0, {}, None, None)


def test_no_point_is_added_without_a_change(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40)
    world.people_vote(share=1.0)
    world.learner.run_due_rounds()
    before = len(points_of(world))
    assert before == 2  # the first is the start
    world.learner.projects[world.project].trigger.fitted = None  # as after a restart
    assert world.learner.run_due_rounds() == 1
    assert len(points_of(world)) == before


def test_the_risk_before_the_first_vote_is_published_once(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40)
    for _ in range(2):
        world.learner.projects.clear()
        world.learner.run_due_rounds()
        assert [(row.votes, row.risk is None) for row in points_of(world)] == [(0, True), (0, False)]


def test_a_report_that_was_left_out_is_written_later(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 40, learner={"name": "none"})

    def stored_quality() -> Any:
        with store.read() as connection:
            return connection.execute(select(voters.c.judged).where(voters.c.id == world.voters[0])).scalar_one()

    def let_some_vote() -> None:
        for voter in world.voters[:4]:
            world.vote_batch(voter, 5)

    let_some_vote()
    assert world.learner.run_due_rounds() == 1
    before = stored_quality()
    assert (report_pending(world), before["votes"]) == (False, 5)
    let_some_vote()
    assert world.learner.run_due_rounds() == 1  # new votes, but the last report was written a moment ago
    assert report_pending(world)
    assert stored_quality() == before
    assert world.learner.run_due_rounds() == 0
    clock.now += 5
    assert world.learner.run_due_rounds() == 1  # for the report: nobody has voted
    assert not report_pending(world)
    assert stored_quality()["votes"] == 10
    clock.now += 5
    assert world.learner.run_due_rounds() == 1  # for the forecast
    clock.now += 10
    assert world.learner.run_due_rounds() == 0


def test_a_forecast_that_was_left_out_is_written_later(store: Store, clock: Clock) -> None:
    world = make_world(store, clock, 60, policy={"name": "fixed_votes", "options": {"n": 2}}, learner={"name": "none"})

    def stored_forecast() -> Any:
        with store.read() as connection:
            return get(connection, world.project).forecast

    for group in (world.voters[:3], world.voters[3:7]):
        for voter in group:
            world.vote_batch(voter, 5)
        assert world.learner.run_due_rounds() == 1
    for _ in range(2):  # first a report is due, then a forecast
        assert stored_forecast() is None
        clock.now += 5
        assert world.learner.run_due_rounds() == 1
    assert stored_forecast()["made_at"] == 35


def test_curves_of_screening_count_criteria_and_the_risk_of_items(store: Store, clock: Clock, tmp_path: Path) -> None:
    world = make_world(store, clock, 40, kind="screening", questions=CRITERIA)
    for _ in range(12):
        world.people_vote()
        world.learner.run_due_rounds()
    last = get_progress(store, world.project, tmp_path)["points"][-1]
    assert sum(last["statuses"].values()) == 80
    rows = points_of(world)
    assert rows[1].risk > rows[-1].risk >= 0
    assert all(row.risk <= 0.5 for row in rows[1:])


def test_a_failure_to_publish_does_not_stop_the_learner(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: Any) -> None:
        raise ValueError("test failure")

    monkeypatch.setattr(publish, "add_point", fail)
    world = make_world(store, clock, 40)
    world.to_the_end()
    assert world.state == "done"
    assert "test failure" in caplog.text
    assert len(points_of(world)) == 1  # of the start


def test_progress_is_shown_only_to_members(store: Store, clock: Clock, tmp_path: Path) -> None:
    project = make_world(store, clock, 10).project
    with client_of(store, tmp_path, progress.router) as client:
        path = f"/api/projects/{project}/progress"
        assert [point["votes"] for point in client.get(path).json()["points"]] == [0]
        assert client.get(path, headers=as_stranger(store)).status_code == 403
        assert client.get("/api/projects/999/progress").status_code == 404
        assert httpx.get(str(client.base_url).rstrip("/") + path, timeout=PATIENCE).status_code == 401
