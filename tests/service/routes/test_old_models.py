"""Items whose task was last written by a model version that the learner has emptied since."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select

from quorate.service.refit.fit import KEPT
from quorate.service.refit.inputs import Memory
from quorate.service.refit.round import run_round
from quorate.service.refit.write_tasks import Pace
from quorate.service.routes import items
from quorate.service.routes import overrides as overriding
from quorate.service.store.database import Store
from quorate.service.store.tables import models
from tests.service.pools import make_project, make_voters
from tests.service.routes.managing import client_of

QUESTIONS = [{"name": name, "classes": ["yes", "no"]} for name in ("pet", "indoors")]


def project_with_old_models(store: Store) -> int:
    """Create a project of one item and two questions, whose tasks were written by a version that is emptied by now."""
    project = make_project(store, 1, questions=QUESTIONS, prices={"votes": {"crowd": 0.5, "expert": 5.0}})
    make_voters(store, project, 1, kind="expert")
    memory: dict[int, Memory] = {}
    for _ in range(KEPT + 2):
        run_round(store, project, memory, pace=Pace(pause=lambda seconds: None))
    with store.read() as connection:
        emptied = select(func.count()).where(models.c.version == 1, models.c.fused == b"")
        assert connection.scalar(emptied) == len(QUESTIONS)
    return project


@pytest.fixture
def client(store: Store, tmp_path: Path) -> Iterator[httpx.Client]:
    """Yield a client of a service that has just started: no model is in its cache."""
    project = project_with_old_models(store)
    fresh = Store.open(store.engine.url, clock=store.clock)
    with client_of(fresh, tmp_path / "data", items.router, overriding.router) as client:
        client.base_url = client.base_url.join(f"/api/projects/{project}/items/")
        yield client
    fresh.close()


def test_an_item_is_shown_with_the_version_that_wrote_it(client: httpx.Client) -> None:
    answer = client.get("1")
    assert answer.status_code == 200, answer.text
    assert [task["model_version"] for task in answer.json()["tasks"]] == [1, 1]


@pytest.mark.parametrize(("act", "body"), [("relabel", {"label": "no"}), ("reopen", {}), ("expert", {})])
def test_one_of_two_questions_is_overridden(client: httpx.Client, act: str, body: dict[str, str]) -> None:
    if act == "reopen":  # only what is decided can be reopened
        assert client.post("1/relabel", json={"label": "no"}).status_code == 200
    answer = client.post(f"1/{act}", json=body)
    assert answer.status_code == 200, answer.text
    first, second = answer.json()["tasks"]
    assert first["model_version"] > KEPT
    assert second["model_version"] == 1
