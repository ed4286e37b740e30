import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from quorate.service.accounts.credentials import new_token
from quorate.service.monitoring.prometheus import Metrics
from quorate.service.routes.health import router
from quorate.service.routes.http.request_log import RequestLog
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate
from quorate.service.store.tables import heartbeats
from tests.service.people import new_account
from tests.service.serving import app_of

HERE, ELSEWHERE = ("127.0.0.1", 5000), ("203.0.113.9", 5000)


def client(store: Store, source: tuple[str, int] = HERE) -> TestClient:
    app = app_of(store, router)
    app.state.metrics = Metrics(store)
    app.add_middleware(RequestLog, metrics=app.state.metrics.requests)
    return TestClient(app, client=source, raise_server_exceptions=False)


def test_it_lives(empty: Store) -> None:
    assert client(empty).get("/healthz").json() == {"status": "alive"}


def test_it_is_ready_once_it_is_migrated(empty: Store) -> None:
    migrate(empty)
    answer = client(empty).get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "database": "ok",
        "migrated": True,
        "learner": {"age_seconds": None, "late": True},
    }


def test_tables_of_another_version_are_not_ready(empty: Store) -> None:
    migrate(empty)
    with empty.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    answer = client(empty).get("/readyz")
    assert answer.status_code == 503
    assert not answer.json()["migrated"]


def test_without_a_database_it_is_not_ready() -> None:
    store = Store.open("postgresql://nobody@127.0.0.1:1/none")
    answer = client(store).get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "unreachable"


def test_the_learner_is_late_when_it_says_nothing_for_long(empty: Store) -> None:
    migrate(empty)
    with empty.write() as connection:
        connection.execute(heartbeats.insert(), {"name": "learner", "beat_at": empty.clock() - 5, "pid": 1})
    assert client(empty).get("/readyz").json()["learner"]["late"] is False
    with empty.write() as connection:
        connection.execute(heartbeats.update().values(beat_at=empty.clock() - 500))
    answer = client(empty).get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["learner"]["late"] is True


def test_metrics_are_given_to_this_machine_only(empty: Store) -> None:
    migrate(empty)
    assert client(empty).get("/metrics").status_code == 200
    assert client(empty, ("::1", 5000)).get("/metrics").status_code == 200


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_a_proxy_speaks_for_others(empty: Store, header: str) -> None:
    migrate(empty)
    answer = client(empty).get("/metrics", headers={header: "127.0.0.1"})
    assert answer.status_code == 401
    assert "quorate_" not in answer.text


def test_others_get_no_metrics(empty: Store) -> None:
    migrate(empty)
    answer = client(empty, ELSEWHERE).get("/metrics")
    assert answer.status_code == 401
    assert "quorate_" not in answer.text


@pytest.mark.parametrize(
    ("role", "scope", "status"),
    [("owner", "read", 200), ("owner", "vote", 403), ("requester", "read", 403)],
)
def test_an_owner_who_may_read_gets_metrics_from_elsewhere(empty: Store, role: str, scope: str, status: int) -> None:
    migrate(empty)
    account = new_account(empty, role=role)
    with empty.write() as connection:
        token = new_token(connection, account, empty.clock(), scopes=frozenset({scope}), name="prometheus")
    answer = client(empty, ELSEWHERE).get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == status
