"""Keys of items by their numbers, as a requester's program finds them; on both databases."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from quorate.client import Client
from quorate.errors import QuorateError
from quorate.service.store.database import Store
from quorate.simulated_crowd.item_keys import ItemKeys
from tests.service.clients import owner_token, serving
from tests.service.pools import keys_of, make_project

N_ITEMS = 2300  # more than two pages


@pytest.fixture
def owner(store: Store) -> Iterator[Client]:
    with serving(store) as url, Client(url, token=owner_token(store)) as client:
        yield client


@pytest.fixture
def calls(owner: Client) -> list[str]:
    """What the client asked for, as it asks."""
    made: list[str] = []

    def keep(request: httpx.Request) -> None:
        made.append(request.url.query.decode())

    owner.connection.http.event_hooks = {"request": [keep]}
    return made


def test_all_items_are_listed_once_whoever_asks(store: Store, owner: Client, calls: list[str]) -> None:
    make_project(store, 5)
    project = make_project(store, N_ITEMS)
    known = {item: key for item, key in keys_of(store).items() if item > 5}
    keys = ItemKeys(owner, project)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(keys.of, known)) == list(known.values())
    assert len(calls) == 3
    assert owner.items.keys(project) == known


def test_items_that_came_later_are_listed_alone(store: Store, owner: Client, calls: list[str]) -> None:
    project = make_project(store, 3)
    keys, last = ItemKeys(owner, project), max(keys_of(store))
    keys.of(last)
    owner.items.add(project, [{"key": "late", "text": "It came late."}])
    del calls[:]
    assert keys.of(max(keys_of(store))) == "late"
    assert calls == [f"n=1000&after={last}"]


def test_an_item_that_was_stored_late_is_found_behind_larger_numbers(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = {1: "a", 3: "c"}
    monkeypatch.setattr(
        type(owner.items), "keys", lambda _, __, after: {item: key for item, key in stored.items() if item > after}
    )
    keys = ItemKeys(owner, 1)
    assert keys.of(3) == "c"
    stored[2] = "b"
    assert keys.of(2) == "b"


def test_an_item_of_another_project_is_not_found(store: Store, owner: Client) -> None:
    project, _ = make_project(store, 1), make_project(store, 1)
    with pytest.raises(QuorateError, match=f"project {project} lists no item 2"):
        ItemKeys(owner, project).of(2)
