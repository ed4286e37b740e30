import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from quorate.service.money import to_money
from quorate.service.monitoring.prometheus import FRESH_SECONDS, Metrics
from quorate.service.store import tables
from quorate.service.store.database import Store
from tests.service.conftest import Clock

SCRIPT = """
import sys
from quorate.service.monitoring.prometheus import Metrics
from quorate.service.store.database import Store
store = Store.open(f"sqlite:///{sys.argv[1]}")
metrics = Metrics(store)
metrics.requests.record("GET", "/here", 200, 0.003)
print(metrics.page().decode())
"""


def fill(store: Store, now: float) -> None:
    """Insert a project with a question, a task, two voters, and two leases, one of them expired."""
    rows: list[tuple[Any, dict[str, Any]]] = [
        (tables.projects, {"name": "p", "state": "running", "settings": {}, "spent": to_money(2.5), "created_at": now}),
        (tables.questions, {"project_id": 1, "position": 0, "name": "q", "n_classes": 2, "model_id": 1}),
        (
            tables.models,
            {"question_id": 1, "version": 1, "created_at": now - 30, "n_votes": 5, "metrics": {}, "fused": b""},
        ),
        (tables.tallies, {"question_id": 1, "status": "crowd", "n": 4}),
        (tables.items, {"project_id": 1, "key": "a", "kind": "text", "content": {}, "created_at": now}),
        (tables.tasks, {"project_id": 1, "question_id": 1, "item_id": 1, "draw": 0.5}),
        (tables.heartbeats, {"name": "learner", "beat_at": now - 7, "pid": 1}),
    ]
    with store.write() as connection:
        for table, row in rows:
            connection.execute(insert(table), row)
        for code, left in (("a", 60.0), ("b", -1.0)):
            voter = {"project_id": 1, "code": code, "kind": "crowd", "state": "active", "n_votes": 3, "created_at": now}
            query = insert(tables.voters).returning(tables.voters.c.id)
            voter_id = connection.scalar(query, voter | {"seen_at": now - 10})
            lease = {"project_id": 1, "task_id": 1, "voter_id": voter_id, "purpose": "work", "price": 1, "cost": 1}
            connection.execute(insert(tables.leases), lease | {"leased_at": now, "expires_at": now + left})


def test_the_state_of_the_work_is_read_from_the_database(store: Store, clock: Clock) -> None:
    fill(store, clock())
    page = Metrics(store).page().decode().splitlines()
    assert 'quorate_votes_total{kind="crowd",project="1"} 6.0' in page
    assert 'quorate_tasks{project="1",question="1",status="crowd"} 4.0' in page
    assert 'quorate_spent{project="1"} 2.5' in page
    assert 'quorate_committed{project="1"} 0.0' in page
    assert 'quorate_leases{project="1"} 1.0' in page
    assert 'quorate_learner_lag_seconds{project="1"} 20.0' in page
    assert "quorate_learner_age_seconds 7.0" in page


def test_an_empty_database_has_metrics_too(store: Store) -> None:
    assert "quorate_votes" in Metrics(store).page().decode()


def test_the_state_is_cached_for_some_seconds(store: Store, clock: Clock) -> None:
    metrics = Metrics(store)
    metrics.page()
    fill(store, clock())
    assert 'project="1"' not in metrics.page().decode()
    clock.now += FRESH_SECONDS
    assert 'quorate_spent{project="1"} 2.5' in metrics.page().decode()


def test_requests_of_several_processes_are_summed(tmp_path: Path) -> None:
    path = tmp_path / "quorate.db"
    store = Store.open(f"sqlite:///{path}")
    store.create_tables()
    store.close()
    (tmp_path / "requests").mkdir()
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "requests")}
    command = [sys.executable, "-c", SCRIPT, str(path)]
    pages = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(3)]
    assert 'quorate_requests_total{method="GET",route="/here",status="200"} 3.0' in pages[-1].stdout
