"""Prices that are allowed but unlikely to be meant give a warning wherever settings are sent."""

from pathlib import Path
from typing import Any

import pytest

from quorate.service.routes import planning as designing
from quorate.service.routes import projects
from quorate.service.store.database import Store
from tests.service.routes.managing import client_of

PETS: dict[str, Any] = {
    "name": "Pets",
    "questions": [{"name": "pet", "classes": ["cat", "dog"]}],
    "costs": {"error": 50},
    "prices": {"votes": {"crowd": 1}, "machine": 0.1},
}
DEAR_MACHINE = PETS | {"prices": {"votes": {"crowd": 1}, "machine": 1}}
DEAR_VOTES = PETS | {"prices": {"votes": {"crowd": 45}, "platform_fee": 0.2}}  # with the fee, 54
MACHINE = "The classifier (1 per task) costs as much as a vote (1) or more: asking people is cheaper."
VOTES = "A vote (54) costs as much as an error (50) or more: none will be asked for."


@pytest.mark.parametrize(
    ("settings", "warnings"), [(PETS, []), (DEAR_MACHINE, [MACHINE]), (DEAR_VOTES, [VOTES])], ids=["fine", "a", "b"]
)
def test_prices_out_of_order_are_warned_of_and_taken(
    store: Store, tmp_path: Path, settings: dict[str, Any], warnings: list[str]
) -> None:
    with client_of(store, tmp_path, projects.router, designing.router) as client:
        created = client.post("/api/projects", json=settings)
        assert (created.status_code, created.json()["warnings"]) == (201, warnings)
        at = f"/api/projects/{created.json()['id']}"
        assert client.get(at).json()["warnings"] == warnings
        assert client.post(f"{at}/settings/preview", json=settings).json()["warnings"] == warnings
        changed = client.put(f"{at}/settings", json=settings)
        assert (changed.status_code, changed.json()["warnings"]) == (200, warnings)
        forecast = client.post("/api/forecast", json={"settings": settings, "items": 10, "accuracy": 0.8})
        assert forecast.json()["warnings"] == warnings
