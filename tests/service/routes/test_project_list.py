"""The list of projects, as its page shows it."""

from pathlib import Path

from quorate.service.routes import items, projects
from quorate.service.store.database import Store
from tests.service.routes.managing import as_stranger, client_of

PETS = {"name": "Pets", "questions": [{"name": "a", "classes": ["x", "y"]}, {"name": "b", "classes": ["x", "y"]}]}


def test_each_project_tells_how_far_it_has_come(store: Store, tmp_path: Path) -> None:
    with client_of(store, tmp_path, projects.router, items.router) as client:
        first, second = (client.post("/api/projects", json=PETS).json()["id"] for _ in range(2))
        sent = [{"key": "1", "text": "one"}, {"key": "2", "text": "two"}]
        assert client.post(f"/api/projects/{first}/items", json=sent).status_code < 300
        listed = {entry["id"]: entry["statuses"] for entry in client.get("/api/projects").json()}
        assert listed == {second: {}, first: {"waiting": 4}}
        assert client.get("/api/projects", headers=as_stranger(store)).json() == []
