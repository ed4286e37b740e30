"""Lists of items over HTTP, on both databases: any part at once, and exact."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from quorate.service.routes import items
from quorate.service.store.database import Store
from quorate.service.store.tables import tasks
from quorate.service.store.tallies import count_moves
from tests.service.pools import ask, keys_of, make_project, make_voters, vote
from tests.service.routes.managing import as_stranger, client_of

N = 30


@pytest.fixture
def client(store: Store, tmp_path: Path) -> Iterator[httpx.Client]:
    with client_of(store, tmp_path / "data", items.router) as client:
        yield client


def page(client: httpx.Client, project: int, **asked: Any) -> dict[str, Any]:
    answer = client.get(f"/api/projects/{project}/items", params=asked)
    assert answer.status_code == 200, answer.text
    response: dict[str, Any] = answer.json()
    return response


def keys(client: httpx.Client, project: int, **asked: Any) -> list[str]:
    """Return the keys of a whole list, read a page at a time."""
    listed: list[str] = []
    offset: str | None = "0"
    while offset is not None:
        part = page(client, project, offset=offset, n=4, **asked)
        listed += [row["key"] for row in part["items"]]
        offset = part["next"]
    if not asked.get("search"):
        assert part["total"] == len(listed)
    return listed


def standing(store: Store) -> dict[str, set[str]]:
    """Return the keys of items by status; the pools of tests number their items from 0."""
    by_status: dict[str, set[str]] = {}
    with store.read() as connection:
        first = connection.execute(select(tasks.c.item_id).order_by(tasks.c.item_id)).scalars().first() or 0
        for row in connection.execute(select(tasks)):
            by_status.setdefault(row.status, set()).add(str(row.item_id - first))
    return by_status


def vote_on_some(store: Store, project: int) -> None:
    """Let three voters vote on most tasks, not always with the same label."""
    for position, voter in enumerate(make_voters(store, project, 3)):
        for number in range(10):
            (lease,) = ask(store, voter).leases
            vote(store, voter, lease.id, "dog" if position == 1 and number % 2 else "cat")


def test_all_are_listed_in_the_order_they_came(client: httpx.Client, store: Store) -> None:
    project = make_project(store, N)
    make_project(store, 3)  # another, which must not show
    assert keys(client, project, filter="all") == [str(n) for n in range(N)]
    middle = page(client, project, filter="all", offset=17, n=2)
    assert ([row["key"] for row in middle["items"]], middle["next"], middle["total"]) == (["17", "18"], "19", N)
    beyond = page(client, project, filter="all", offset=N + 5)
    assert (beyond["items"], beyond["next"], beyond["total"]) == ([], None, N)
    assert page(client, project, offset=29)["items"][0]["key"] == "29"


def test_a_status_lists_all_that_have_it_once(client: httpx.Client, store: Store) -> None:
    project = make_project(store, 12)
    vote_on_some(store, project)
    stands = standing(store)
    assert set(stands) == {"asking", "crowd"}
    for status, wanted in stands.items():
        listed = keys(client, project, filter=status)
        assert len(listed) == len(wanted)
        assert set(listed) == wanted
    with store.write() as connection:
        some = select(tasks.c.id).where(tasks.c.status == "asking").limit(5)
        connection.execute(update(tasks).where(tasks.c.id.in_(some)).values(status="waiting"))
        question = connection.execute(select(tasks.c.question_id)).scalars().first() or 0
        count_moves(connection, [((question, "asking"), (question, "waiting"))] * 5)
    listed = keys(client, project, filter="open")
    assert set(listed) == stands["asking"]
    assert len(listed) == len(stands["asking"])
    assert keys(client, project, filter="expert") == []


def test_disputed_and_ambiguous_items_are_found(client: httpx.Client, store: Store) -> None:
    project = make_project(store, 12)
    vote_on_some(store, project)
    disputed = keys(client, project, filter="disputed")
    assert 0 < len(disputed) < 12
    for row in page(client, project, filter="disputed")["items"]:
        votes = client.get(f"/api/projects/{project}/items/{row['id']}").json()["tasks"][0]["votes"]
        assert {vote["label"] for vote in votes} == {"cat", "dog"}
    with store.write() as connection:
        connection.execute(update(tasks).values(ambiguity=0.8 + tasks.c.draw / 5))
    ambiguous = page(client, project, filter="ambiguous")
    ranks = [row["tasks"][0]["ambiguity"] for row in ambiguous["items"]]
    assert ranks == sorted(ranks, reverse=True)
    with store.read() as connection:
        hard = connection.execute(select(tasks.c.id).where(tasks.c.draw >= 0.5)).all()
    assert ambiguous["total"] == len(ranks) == len(hard) > 0


def test_what_the_audit_overruled_is_found(client: httpx.Client, store: Store) -> None:
    prices = {"votes": {"crowd": 1, "expert": 2}}
    policy = {"name": "fixed_votes", "options": {"n": 1}}
    project = make_project(store, 4, prices=prices, audit_share=1.0, policy=policy)
    (worker,), (expert,) = make_voters(store, project, 1), make_voters(store, project, 1, kind="expert")
    for lease in ask(store, worker, 4).leases:
        vote(store, worker, lease.id, "cat")
    audits = ask(store, expert, 4).leases
    for position, lease in enumerate(audits):
        vote(store, expert, lease.id, "dog" if position < 2 else "cat")
    keys_by_id = keys_of(store)
    assert set(keys(client, project, filter="overruled")) == {keys_by_id[lease.item_id] for lease in audits[:2]}
    assert len(keys(client, project, filter="expert")) == 4


def test_a_text_is_found_in_keys_and_in_what_is_shown(client: httpx.Client, store: Store) -> None:
    project = make_project(store, N)
    new = [
        {"key": "näher", "text": 'She said "hello \\ goodbye" 100% of the time'},
        {"key": "pair", "text_a": "One", "text_b": "Zwei Größen"},
        {"key": "html", "html": "<b>Purple</b>"},
    ]
    assert client.post(f"/api/projects/{project}/items", json=new).json()["added"] == 3
    assert keys(client, project, filter="all", search="ITEM 1") == ["1", *(str(n) for n in range(10, 20))]
    assert keys(client, project, filter="all", search="2") == ["2", "12", *(str(n) for n in range(20, 30))]
    hits = {"näh": "näher", '"hello \\': "näher", "0% of": "näher", "Größen": "pair", "purp": "html"}
    for search, key in hits.items():
        assert keys(client, project, filter="all", search=search) == [key]
    for nowhere in ("text_a", "äher", "%", "_x"):  # names of parts, the inside of a key, and signs of patterns
        assert keys(client, project, filter="all", search=nowhere) == (["näher"] if nowhere == "%" else [])
    assert set(keys(client, project, filter="asking", search="item 1")) == {"1", *(str(n) for n in range(10, 20))}
    assert keys(client, project, filter="crowd", search="item") == []
    assert page(client, project, filter="all", search="item")["total"] is None


def test_a_list_by_another_question(client: httpx.Client, store: Store) -> None:
    criteria = [{"name": name, "classes": ["no", "yes"], "holds": "yes"} for name in ("trial", "adults")]
    policy = {"name": "expected_loss"}
    project = make_project(store, 6, kind="screening", questions=criteria, policy=policy, costs={"error": 30})
    for name in ("trial", "adults"):
        rows = page(client, project, filter="asking", question=name)["items"]
        assert rows
        assert {task["status"] for row in rows for task in row["tasks"] if task["question"] == name} == {"asking"}


def test_what_is_no_list_is_refused(client: httpx.Client, store: Store) -> None:
    project = make_project(store, 2)
    path = f"/api/projects/{project}/items"
    wrong = client.get(path, params={"filter": "nice"})
    assert (wrong.status_code, "ambiguous" in wrong.json()["error"]) == (422, True)
    for asked in ("offset=-1", "n=0", "question=x"):
        assert client.get(f"{path}?filter=all&{asked}").status_code == 422
    assert client.get(path, params={"filter": "all"}, headers=as_stranger(store)).status_code == 403
