import httpx

from quorate.service.decisions.activation import start
from quorate.service.items.insert import NewItem
from quorate.service.store.database import Store
from quorate.service.workers import media_tickets as tickets
from tests.service.conftest import Clock
from tests.service.pools import add_items, make_project
from tests.service.routes.conftest import bearer

FRAMED = {"signed": False, "frames": ["https://www.mturk.com"]}


def test_an_item_in_hand_is_seen_by_address_alone(people: httpx.Client, store: Store, clock: Clock) -> None:
    project = make_project(store, 0, state=None, door=FRAMED)
    add_items(store, project, [NewItem(str(n), "html", {"html": f"<p>{n}</p>"}) for n in range(2)])
    entered = people.get(f"/enter/{project}", params={"worker": "P1"}, headers={"Accept": "application/json"}).json()
    people.cookies.clear()
    mine = bearer(entered["token"])
    ticket = people.get(f"/api/projects/{project}/visit", headers=mine).json()["ticket"]
    start(store, project, "running", "test")
    [lease] = people.post(f"/api/projects/{project}/next", json={"n": 1}, headers=mine).json()["leases"]
    seen = people.get(f"/api/seen/{ticket}/{lease['task']}/html")
    assert seen.text == lease["item"]["content"]["html"]
    assert seen.headers["Content-Security-Policy"].endswith("frame-ancestors 'self' https://www.mturk.com")
    other = 3 - lease["task"]
    assert people.get(f"/api/seen/{ticket}/{other}/html").status_code == 404  # not in hand
    assert people.get(f"/api/seen/{ticket}/{lease['task']}/media").status_code == 404  # no file
    number, ends, signature = ticket.split(".")
    for changed in (f"{int(number) + 1}.{ends}.{signature}", f"{number}.{int(ends) + 1}.{signature}", "none"):
        assert people.get(f"/api/seen/{changed}/{lease['task']}/html").status_code == 401
    clock.now += tickets.SECONDS
    assert people.get(f"/api/seen/{ticket}/{lease['task']}/html").status_code == 401  # a day later


def test_a_ticket_ends_with_its_session_and_opens_nothing_else(people: httpx.Client, store: Store) -> None:
    project = make_project(store, door=FRAMED)
    entered = people.get(f"/enter/{project}", params={"worker": "P1"}, headers={"Accept": "application/json"}).json()
    people.cookies.clear()
    mine = bearer(entered["token"])
    ticket = people.get(f"/api/projects/{project}/visit", headers=mine).json()["ticket"]
    assert people.get("/api/session", headers=bearer(ticket)).status_code == 401
    assert people.get(f"/api/seen/{ticket}/1/html").status_code == 404
    people.delete("/api/session", headers=mine)
    assert people.get(f"/api/seen/{ticket}/1/html").status_code == 401


def test_accounts_need_no_ticket(people: httpx.Client, owner: dict[str, str], store: Store) -> None:
    project = make_project(store)
    assert people.get(f"/api/projects/{project}/visit", headers=owner).json()["ticket"] is None
