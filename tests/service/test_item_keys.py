"""Keys of items by their numbers, as a requester's program finds them; on both databases."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from quorate.client import Client
from quorate.client.simulated_crowd.item_keys import ItemKeys
from quorate.errors import QuorateError
from quorate.service.store.database import Store
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


def test_each_block_of_numbers_is_asked_for_once_whoever_asks(store: Store, owner: Client, calls: list[str]) -> None:
    make_project(store, 5)
    project = make_project(store, N_ITEMS)
    known = {item: key for item, key in keys_of(store).items() if item > 5}
    keys = ItemKeys(owner, project)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(keys.of, known)) == list(known.values())
    assert sorted(calls) == [f"n=1000&after={last}" for last in (0, 1999, 999)]


def test_a_requester_lists_all_keys_or_some(store: Store, owner: Client, calls: list[str]) -> None:
    project = make_project(store, N_ITEMS)
    known = keys_of(store)
    assert owner.items.keys(project) == known
    assert len(calls) == 3
    assert owner.items.keys(project, after=2, most=2) == {item: known[item] for item in (3, 4)}


def test_items_that_came_later_are_found(store: Store, owner: Client) -> None:
    project = make_project(store, 3)
    keys = ItemKeys(owner, project)
    assert keys.of(max(keys_of(store))) == "2"
    owner.items.add(project, [{"key": "late", "text": "It came late."}])
    assert keys.of(max(keys_of(store))) == "late"


def test_an_item_of_another_project_is_not_found(store: Store, owner: Client) -> None:
    project, _ = make_project(store, 1), make_project(store, 1)
    with pytest.raises(QuorateError, match=f"project {project} has no item 2"):
        ItemKeys(owner, project).of(2)
