import csv
import hashlib
import hmac
import io
import threading
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from sqlalchemy import func, select, update

from quorate.service.routes.http.authentication import VOTER_COOKIE
from quorate.service.store.database import Store
from quorate.service.store.tables import events, identities, voters
from quorate.service.workers import panel_entry as door
from tests.service.people import new_account, new_member
from tests.service.pools import make_project
from tests.service.routes.conftest import bearer, headers_of
from tests.service.serving import SECRET
from tests.service.waiting import PATIENCE

Headers = dict[str, str]
JSON = {"Accept": "application/json"}
OPEN = {"signed": False, "completion_url": "https://panel.example/done?w={worker}&s={session}&cc={code}"}


def come_in(people: httpx.Client, project: int, **parameters: str) -> Headers:
    answer = people.get(f"/enter/{project}", params=parameters, headers=JSON)
    assert answer.status_code == 200, answer.text
    people.cookies.clear()
    return bearer(answer.json()["token"])


def signed(project: int, worker: str) -> str:
    """Sign as a panel does, following the documentation."""
    key = door.entry_key(SECRET, project)
    return hmac.new(key.encode(), worker.encode(), hashlib.sha256).hexdigest()


def test_a_browser_is_let_in_and_led_to_the_work(people: httpx.Client, store: Store) -> None:
    project = make_project(store, door=OPEN)
    answer = people.get(f"/enter/{project}", params={"worker": "P1", "session": "S1"})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/work/{project}")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert people.cookies[VOTER_COOKIE]
    assert people.get("/api/session").json()["project_id"] == project


def test_a_frame_gets_its_session_behind_the_hash_and_submits_only_to_sites_of_the_door(
    people: httpx.Client, store: Store
) -> None:
    site = "https://www.mturk.com"
    project = make_project(store, door=OPEN | {"frames": [site]})

    def told(submit_to: str) -> dict[str, list[str]]:
        parameters = {"worker": "P1", "session": "S&1", "turkSubmitTo": submit_to}
        location = people.get(f"/enter/{project}", params=parameters).headers["Location"]
        people.cookies.clear()
        return parse_qs(urlsplit(location).fragment)

    mine, foreign = told(site), told("https://evil.example")
    assert (mine["visit"], mine["submit"]) == (["S&1"], [site])
    assert "submit" not in foreign
    visit = people.get(f"/api/projects/{project}/visit", headers=bearer(mine["session"][0]))
    assert visit.json()["voter"]["kind"] == "crowd"


def test_a_preview_makes_no_voter(people: httpx.Client, store: Store) -> None:
    project = make_project(store, door=OPEN)
    answer = people.get(f"/enter/{project}", params={"session": door.PREVIEW})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/work/{project}#preview")
    assert "Set-Cookie" not in answer.headers
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(voters)).scalar_one() == 0


def test_who_comes_again_is_the_same_voter(people: httpx.Client, store: Store) -> None:
    project, other = make_project(store, door=OPEN), make_project(store, door=OPEN)
    come_in(people, project, worker="P1", session="S1")
    come_in(people, project, worker=" P1 ", session="S2")
    come_in(people, project, worker="P2")
    come_in(people, other, worker="P1")
    with store.read() as connection:
        rows = connection.execute(select(identities).order_by(identities.c.voter_id)).all()
        codes = connection.execute(select(voters.c.code)).scalars().all()
    assert [(row.project_id, row.external_id, row.session) for row in rows] == [
        (project, "P1", "S2"),
        (project, "P2", None),
        (other, "P1", None),
    ]
    assert len(set(codes)) == 3
    assert not any("P1" in code or "P2" in code for code in codes)


def test_many_at_once_are_still_one_voter(people: httpx.Client, store: Store) -> None:
    project = make_project(store, door=OPEN)
    together, statuses = threading.Barrier(8), []

    def enter() -> None:
        together.wait()
        with httpx.Client(base_url=people.base_url, timeout=PATIENCE) as client:
            statuses.append(client.get(f"/enter/{project}", params={"worker": "P1"}, headers=JSON).status_code)

    threads = [threading.Thread(target=enter) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 8
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(voters)).scalar_one() == 1


def test_a_signed_door_takes_signed_numbers_only(people: httpx.Client, store: Store) -> None:
    project, other = make_project(store), make_project(store)  # doors are signed unless said otherwise
    right = signed(project, "P1")
    come_in(people, project, worker="P1", sig=right, session="whatever")
    wrong = [
        {"worker": "P1"},
        {"worker": "P1", "sig": ""},
        {"worker": "P2", "sig": right},
        {"worker": "P1", "sig": right[:-1]},
        {"worker": "P1", "sig": right.upper()},
        {"worker": "P1", "sig": signed(other, "P1")},
        {"worker": "P1", "sig": "é"},
    ]
    for parameters in wrong:
        answer = people.get(f"/enter/{project}", params=parameters)
        assert answer.status_code == 403, parameters
        assert "Set-Cookie" not in answer.headers
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(voters)).scalar_one() == 1


def test_the_owner_can_tell_a_panel_how(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store, door={"worker_parameter": "PID", "session_parameter": "SID"})
    shown = people.get(f"/api/projects/{project}/door", headers=owner).json()
    assert (shown["worker_parameter"], shown["session_parameter"], shown["signed"]) == ("PID", "SID", True)
    sig = hmac.new(shown["key"].encode(), b"P 1&2", hashlib.sha256).hexdigest()
    assert people.get(shown["entry"], params={"PID": "P 1&2", "sig": sig}).status_code == 303
    links = people.post(f"/api/projects/{project}/door/links", json={"workers": ["P 1&2", "P3"]}, headers=owner).json()
    assert sorted(links) == ["P 1&2", "P3"]
    assert [people.get(link).status_code for link in links.values()] == [303, 303]
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(voters)).scalar_one() == 2


def test_keys_of_doors_are_for_those_who_manage(people: httpx.Client, store: Store) -> None:
    project, rita = make_project(store), new_account(store, "rita", "requester")
    headers = headers_of(store, rita)
    assert people.get(f"/api/projects/{project}/door", headers=headers).status_code == 403
    sent = {"workers": ["P1"]}
    assert people.post(f"/api/projects/{project}/door/links", json=sent, headers=headers).status_code == 403
    new_member(store, project, rita)
    assert people.get(f"/api/projects/{project}/door", headers=headers).status_code == 200


def test_a_malformed_entry_is_told(people: httpx.Client, store: Store) -> None:
    project = make_project(store, door=OPEN)
    malformed = [
        {},
        {"worker": ""},
        {"worker": " "},
        {"worker": "a\x00"},
        {"worker": "a\r\nSet-Cookie: x=y"},
        {"worker": "x" * 201},
        {"worker": "{{%PROLIFIC_PID%}}"},
        {"worker": "P1", "session": "{session}"},
        {"worker": "P1", "session": "\n"},
    ]
    for parameters in malformed:
        answer = people.get(f"/enter/{project}", params=parameters)
        assert answer.status_code == 422, parameters
        assert "Set-Cookie" not in answer.headers
    assert people.get("/enter/999", params={"worker": "P1"}).status_code == 404


def test_nothing_of_the_request_gets_into_the_headers(people: httpx.Client, store: Store) -> None:
    project = make_project(store, door=OPEN)
    parameters = {"worker": "P1", "session": "S1", "next": "https://evil.example", "url": "//evil.example"}
    answer = people.get(f"/enter/{project}", params=parameters, headers={"Host": "evil.example"})
    assert answer.headers["Location"] == f"/work/{project}"
    assert "evil" not in str(answer.headers)


def complete(people: httpx.Client, project: int, worker: Headers) -> tuple[str, str, dict[str, list[str]]]:
    answer = people.get(f"/api/projects/{project}/completion", headers=worker).json()
    return answer["outcome"], answer["code"], parse_qs(urlsplit(answer["url"]).query, keep_blank_values=True)


def test_completion_says_what_the_visit_came_to(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store, door=OPEN)
    worker = come_in(people, project, worker="P1", session="S1")
    sent = {"w": ["P1"], "s": ["S1"]}
    assert complete(people, project, worker) == ("no_work", "NOWORK", sent | {"cc": ["NOWORK"]})
    lease = people.post(f"/api/projects/{project}/next", json={"n": 1}, headers=worker).json()["leases"][0]["lease"]
    vote = {"votes": [{"lease": lease, "key": "a", "label": "cat"}]}
    assert people.post(f"/api/projects/{project}/votes", json=vote, headers=worker).status_code == 200
    assert complete(people, project, worker) == ("done", "DONE", sent | {"cc": ["DONE"]})
    with store.write() as connection:
        connection.execute(update(voters).values(state="failed"))
    assert complete(people, project, worker) == ("failed", "CHECKS", sent | {"cc": ["CHECKS"]})
    of_account = people.get(f"/api/projects/{project}/completion", headers=owner).json()
    assert of_account == {"outcome": "no_work", "code": "NOWORK", "url": None}  # it came from no panel


def test_what_is_filled_into_the_completion_address_is_harmless(people: httpx.Client, store: Store) -> None:
    project = make_project(store, door={**OPEN, "code_no_work": "{worker}&x=1"})
    nasty = "../?a=b&c#d/@e %0d%0a'\"<script>"
    worker = come_in(people, project, worker=nasty)
    answer = people.get(f"/api/projects/{project}/completion", headers=worker).json()
    parts = urlsplit(answer["url"])
    assert (parts.scheme, parts.netloc, parts.path, parts.fragment) == ("https", "panel.example", "/done", "")
    query = parse_qs(parts.query, keep_blank_values=True)
    assert query == {"w": [nasty], "s": [""], "cc": ["{worker}&x=1"]}


def test_an_in_house_worker_completes_by_its_code(people: httpx.Client, owner: Headers, store: Store) -> None:
    project, plain = make_project(store, door=OPEN), make_project(store)
    for number in (project, plain):
        worker = people.post(f"/api/projects/{number}/workers", json={}, headers=owner).json()
        opened = people.post("/api/work/session", json={"link": worker["link"]}).json()
        people.cookies.clear()
        answer = people.get(f"/api/projects/{number}/completion", headers=bearer(opened["token"])).json()
        url = f"https://panel.example/done?w={worker['code']}&s=&cc=NOWORK" if number == project else None
        assert answer == {"outcome": "no_work", "code": "NOWORK", "url": url}


def pay(people: httpx.Client, project: int, headers: Headers, **asked: str) -> list[dict[str, str]]:
    answer = people.get(f"/api/projects/{project}/pay.csv", params=asked, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(answer.text)))


def test_pay_is_listed_by_code_or_by_number(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store, door=OPEN)
    for worker in ("P1", "=HYPERLINK(1)", "@x", "+1", "-1"):
        come_in(people, project, worker=worker)
    in_house = people.post(f"/api/projects/{project}/workers", json={}, headers=owner).json()["code"]
    with store.write() as connection:
        first = voters.c.id == select(func.min(voters.c.id)).scalar_subquery()
        connection.execute(update(voters).where(first).values(n_votes=3, earned=150_000))
        codes = connection.execute(select(voters.c.code).order_by(voters.c.id)).scalars().all()
    plain = pay(people, project, owner)
    assert [row["worker"] for row in plain] == codes
    assert plain[0] == {"worker": codes[0], "votes": "3", "due": "0.150000", "outcome": "done", "code": "DONE"}
    named = [row["worker"] for row in pay(people, project, owner, ids="external")]
    assert named == ["P1", "'=HYPERLINK(1)", "'@x", "'+1", "'-1", in_house]
    with store.read() as connection:
        kinds = connection.execute(select(events.c.kind).where(events.c.kind == "pay.exported")).scalars().all()
    assert len(kinds) == 1  # names were asked for once


def test_numbers_of_the_platform_need_more_than_reading(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store, door=OPEN)
    come_in(people, project, worker="P1")
    token = people.post("/api/tokens", json={"name": "t", "scopes": ["read"]}, headers=owner).json()["token"]
    assert len(pay(people, project, bearer(token))) == 1
    refused = people.get(f"/api/projects/{project}/pay.csv", params={"ids": "external"}, headers=bearer(token))
    assert refused.status_code == 403
    assert people.get("/api/projects/999/pay.csv", headers=owner).status_code == 404


def test_pay_goes_on_over_pages(
    people: httpx.Client, owner: Headers, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quorate.service.exports.payments.PAY_PAGE", 2)
    project = make_project(store, door=OPEN)
    for worker in ("P1", "P2", "P3", "P4"):
        come_in(people, project, worker=worker)
    assert [row["worker"] for row in pay(people, project, owner, ids="external")] == ["P1", "P2", "P3", "P4"]


@pytest.mark.parametrize(
    "change",
    [
        {"completion_url": "javascript:alert(1)"},
        {"completion_url": "https://{worker}/"},
        {"completion_url": "https://panel.example/\r\nX: y"},
        {"completion_url": "//panel.example"},
        {"worker_parameter": "sig"},
        {"worker_parameter": "session"},
        {"platform": "x" * 41},
        {"frames": ["*"]},
        {"frames": ["https://panel.example; script-src *"]},
        {"frames": ["https://panel.example/path"]},
    ],
)
def test_a_door_that_leads_astray_is_refused(change: dict[str, object]) -> None:
    from tests.service.pools import settings

    with pytest.raises(ValueError, match="door"):
        settings(door=change)
