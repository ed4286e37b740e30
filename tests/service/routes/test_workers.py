import httpx
from sqlalchemy import insert, select, update

from quorate.service.signing import sign
from quorate.service.store.database import Store
from quorate.service.store.tables import events, identities, leases, members, tasks, voters
from quorate.service.workers.links import PURPOSE
from tests.service.conftest import Clock
from tests.service.people import new_account, new_member
from tests.service.pools import keys_of, make_project
from tests.service.routes.conftest import bearer, headers_of
from tests.service.serving import SECRET
from tests.service.waiting import PATIENCE

Headers = dict[str, str]


def new_worker(people: httpx.Client, owner: Headers, project: int, **more: str) -> tuple[int, str]:
    """Create a worker; return its id and link."""
    answer = people.post(f"/api/projects/{project}/workers", json=more, headers=owner)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], answer.json()["link"].partition("#")[2]


def open_link(people: httpx.Client, link: str) -> Headers:
    with httpx.Client(base_url=people.base_url, timeout=PATIENCE) as client:
        answer = client.post("/api/work/session", json={"link": link})
    assert answer.status_code == 200, answer.text
    return bearer(answer.json()["token"])


def test_a_worker_opens_a_link_and_votes(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store)
    number, link = new_worker(people, owner, project)
    answer = people.post("/api/work/session", json={"link": f"{people.base_url}work/{project}#{link}"})
    assert (answer.json()["project_id"], answer.json()["kind"]) == (project, "crowd")
    csrf = {"X-CSRF-Token": answer.json()["csrf"]}
    served = people.post(f"/api/projects/{project}/next", json={"n": 1}, headers=csrf)  # by the cookie
    lease = served.json()["leases"][0]["lease"]
    vote = {"votes": [{"lease": lease, "key": "a", "label": "cat"}]}
    assert people.post(f"/api/projects/{project}/votes", json=vote).status_code == 403  # without csrf
    assert people.post(f"/api/projects/{project}/votes", json=vote, headers=csrf).status_code == 200
    [row] = people.get(f"/api/projects/{project}/workers", headers=owner).json()
    assert (row["id"], row["votes"], row["due"], row["accuracy"]) == (number, 1, 1.0, None)


def test_a_worker_may_do_nothing_else(people: httpx.Client, owner: Headers, store: Store) -> None:
    project, other = make_project(store), make_project(store)
    number, link = new_worker(people, owner, project)
    worker = open_link(people, link)
    tried = [
        people.post(f"/api/projects/{other}/next", json={"n": 1}, headers=worker),
        people.get(f"/api/projects/{other}/consent", headers=worker),
        people.get(f"/api/projects/{other}/completion", headers=worker),
        people.get(f"/api/projects/{project}/workers", headers=worker),
        people.post(f"/api/projects/{project}/workers", json={}, headers=worker),
        people.get(f"/api/projects/{project}/workers/{number}/link", headers=worker),
        people.post(f"/api/projects/{project}/workers/{number}/unblock", headers=worker),
        people.get(f"/api/projects/{project}/members", headers=worker),
        people.get(f"/api/projects/{project}/door", headers=worker),
        people.get(f"/api/projects/{project}/pay.csv", headers=worker),
        people.get("/api/accounts", headers=worker),
        people.get("/api/tokens", headers=worker),
        people.post("/api/tokens", json={"name": "x", "scopes": ["manage"]}, headers=worker),
        people.put("/api/session/password", json={"old": "x", "new": "y"}, headers=worker),
    ]
    assert [answer.status_code for answer in tried] == [403] * len(tried)


def test_a_changed_link_opens_nothing(people: httpx.Client, owner: Headers, store: Store) -> None:
    project, other = make_project(store), make_project(store)
    _, link = new_worker(people, owner, project)
    _, another = new_worker(people, owner, project)
    number, code, kind, signature = link.split(".")
    changed = [
        f"{other}.{code}.{kind}.{signature}",
        f"{number}.{another.split('.')[1]}.{kind}.{signature}",
        f"{number}.{code}.expert.{signature}",
        f"{number}.{code}.{kind}.{signature[:-1]}",
        f"{number}.{code}.{kind}.{'A' * 43}",
        f"{number}.{code}.{kind}.{sign(b'another key', PURPOSE, number, code, kind)}",
        f"{number}.{code}.{kind}.{sign(SECRET, 'door', number, code, kind)}",
        f"{number}.nobody.{kind}.{sign(SECRET, PURPOSE, number, 'nobody', kind)}",
        f"{link}\n",
        f"0{link}",
        "",
        "\x00",
        "é" * 400,
    ]
    for wrong_link in changed:
        answer = people.post("/api/work/session", json={"link": wrong_link})
        assert answer.status_code in (403, 422), wrong_link
        assert "Set-Cookie" not in answer.headers
    assert people.post("/api/work/session", json={"link": link}).status_code == 200


def test_an_expert_gets_a_link_too(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store)
    _, link = new_worker(people, owner, project, kind="expert", name="Dr Who")
    assert people.get("/api/session", headers=open_link(people, link)).json()["role"] == "expert"


def test_names_are_kept_apart_and_not_shown(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store)
    number, link = new_worker(people, owner, project, name="Wendy")
    again = people.post(f"/api/projects/{project}/workers", json={"name": "Wendy"}, headers=owner)
    assert again.status_code == 409
    shown = people.get(f"/api/projects/{project}/workers/{number}/link", headers=owner)
    assert shown.json()["link"].endswith(link)
    listed = people.get(f"/api/projects/{project}/workers", headers=owner)
    assert len(listed.json()) == 1  # the one that was refused left nothing behind
    assert "Wendy" not in shown.text + listed.text
    with store.read() as connection:
        assert "Wendy" not in str(connection.execute(select(events)).all())
        assert connection.execute(select(identities.c.external_id)).scalars().all() == ["Wendy"]


def test_workers_are_listed_by_pages(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store)
    ids = [new_worker(people, owner, project)[0] for _ in range(5)]
    with store.write() as connection:
        connection.execute(update(voters).where(voters.c.id == ids[0]).values(n_checked=4, n_right=3, earned=250_000))
    path = f"/api/projects/{project}/workers"
    first = people.get(path, params={"limit": 2}, headers=owner).json()
    rest = people.get(path, params={"after": first[-1]["id"]}, headers=owner).json()
    assert [row["id"] for row in first + rest] == ids
    assert (first[0]["accuracy"], first[0]["due"]) == (0.75, 0.25)
    assert people.get(path, params={"limit": 0}, headers=owner).status_code == 422


def test_a_blocked_worker_gives_back_what_it_holds(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store)
    number, link = new_worker(people, owner, project)
    worker, path = open_link(people, link), f"/api/projects/{project}"
    held = people.post(f"{path}/next", json={"n": 2}, headers=worker).json()["leases"]
    assert len(held) == 2
    for _ in range(2):
        assert people.post(f"{path}/workers/{number}/block", headers=owner).status_code == 204
    with store.read() as connection:
        assert connection.execute(select(leases)).all() == []
        assert sum(connection.execute(select(tasks.c.leased)).scalars()) == 0
    assert people.post(f"{path}/next", json={"n": 1}, headers=worker).json()["state"] == "failed"
    vote = {"votes": [{"lease": held[0]["lease"], "key": "a", "label": "cat"}]}
    assert people.post(f"{path}/votes", json=vote, headers=worker).status_code == 403
    assert people.get(f"{path}/completion", headers=worker).json()["outcome"] == "failed"
    assert people.post(f"{path}/workers/{number}/unblock", headers=owner).status_code == 204
    assert people.post(f"{path}/next", json={"n": 1}, headers=worker).json()["state"] == "work"
    with store.read() as connection:
        changes = connection.execute(select(events.c.data).where(events.c.kind == "voter.state")).scalars().all()
    assert [(change["from"], change["to"]) for change in changes] == [("new", "blocked"), ("blocked", "new")]


def test_failed_checks_are_not_undone_by_unblocking(people: httpx.Client, owner: Headers, store: Store) -> None:
    strict = make_project(store, workers={"minimum_accuracy": 0.9})
    mild = make_project(store, workers={"minimum_accuracy": 0.1})
    for project, status in ((strict, 409), (mild, 204)):
        number, _ = new_worker(people, owner, project)
        with store.write() as connection:
            failed = update(voters).where(voters.c.id == number)
            connection.execute(failed.values(state="failed", n_checked=5, n_right=2))
        answer = people.post(f"/api/projects/{project}/workers/{number}/unblock", headers=owner)
        assert answer.status_code == status, answer.text


def test_the_worker_of_another_project_is_not_found(people: httpx.Client, store: Store) -> None:
    mine, other = make_project(store), make_project(store)
    rita = new_account(store, "rita", "requester")
    new_member(store, mine, rita)
    headers, owner = headers_of(store, rita), headers_of(store, new_account(store, "olga"))
    number, _ = new_worker(people, owner, other)
    for path in (f"workers/{number}/block", f"workers/{number}/unblock"):
        assert people.post(f"/api/projects/{mine}/{path}", headers=headers).status_code == 404
        assert people.post(f"/api/projects/{other}/{path}", headers=headers).status_code == 403
    assert people.get(f"/api/projects/{mine}/workers/{number}/link", headers=headers).status_code == 404
    assert people.post("/api/projects/999/workers", json={}, headers=owner).status_code == 404


def test_work_waits_for_consent(people: httpx.Client, owner: Headers, store: Store, clock: Clock) -> None:
    project = make_project(store, consent={"version": "2", "text": "You may stop at any time."})
    number, link = new_worker(people, owner, project)
    worker, path = open_link(people, link), f"/api/projects/{project}"
    refused = people.post(f"{path}/next", json={"n": 1}, headers=worker)
    assert (refused.status_code, "consent" in refused.json()["error"]) == (403, True)
    shown = people.get(f"{path}/consent", headers=worker).json()
    assert shown == {"version": "2", "text": "You may stop at any time.", "url": None, "agreed": False}
    assert people.post(f"{path}/consent", json={"version": "1"}, headers=worker).status_code == 409
    assert people.post(f"{path}/consent", json={"version": "2"}, headers=worker).status_code == 204
    agreed_at = clock.now
    clock.now += 100
    assert people.post(f"{path}/consent", json={"version": "2"}, headers=worker).status_code == 204
    assert people.get(f"{path}/consent", headers=worker).json()["agreed"] is True
    assert people.post(f"{path}/next", json={"n": 1}, headers=worker).json()["state"] == "work"
    with store.read() as connection:
        kept = connection.execute(select(voters).where(voters.c.id == number)).one()
    assert (kept.consent_version, kept.consented_at) == ("2", agreed_at)


def test_experts_and_projects_without_consent_go_on(people: httpx.Client, owner: Headers, store: Store) -> None:
    prices = {"votes": {"crowd": 1, "expert": 5}}
    project = make_project(store, consent={"text": "..."}, prices=prices)
    _, link = new_worker(people, owner, project, kind="expert")
    answer = people.post(f"/api/projects/{project}/next", json={"n": 1}, headers=open_link(people, link))
    assert answer.status_code == 200
    plain = make_project(store)
    worker = open_link(people, new_worker(people, owner, plain)[1])
    assert people.get(f"/api/projects/{plain}/consent", headers=worker).json()["agreed"] is True
    assert people.post(f"/api/projects/{plain}/consent", json={"version": "1"}, headers=worker).status_code == 409
    assert people.get(f"/api/projects/{project}/consent", headers=owner).json()["agreed"] is True


def test_members_vote_as_themselves(people: httpx.Client, store: Store) -> None:
    project, wim = make_project(store), new_account(store, "wim", "worker")
    with store.write() as connection:
        connection.execute(insert(members).values(project_id=project, account_id=wim, role="worker"))
    for _ in range(2):
        served = people.post(f"/api/projects/{project}/next", json={"n": 1}, headers=headers_of(store, wim))
        assert served.json()["state"] == "work"
    with store.read() as connection:
        [row] = connection.execute(select(voters.c.account_id, voters.c.kind)).all()
    assert tuple(row) == (wim, "crowd")


def test_one_worker_is_shown_in_full(people: httpx.Client, owner: Headers, store: Store, clock: Clock) -> None:
    project = make_project(store, 4, gold={0: 0, 1: 1}, workers={"gold_share": 1.0})
    number, link = new_worker(people, owner, project, name="Wendy")
    worker, path = open_link(people, link), f"/api/projects/{project}"
    answers = {"0": "cat", "1": "cat"}
    for _ in range(2):
        [lease] = people.post(f"{path}/next", json={"n": 1}, headers=worker).json()["leases"]
        clock.now += 1
        key = keys_of(store)[lease["item"]["id"]]
        vote = {"lease": lease["lease"], "key": key, "label": answers[key]}
        assert people.post(f"{path}/votes", json={"votes": [vote]}, headers=worker).status_code == 200
    with store.write() as connection:
        question = connection.execute(select(tasks.c.question_id).limit(1)).scalar_one()
        judged = {
            "skill": {"value": 0.9, "low": 0.8, "high": 0.95},
            "spam": 0.1,
            "seconds": 2.5,
            "votes": 2,
            "questions": {str(question): [[1.0, 0.0], [1.0, 0.0]]},
        }
        connection.execute(update(voters).where(voters.c.id == number).values(judged=judged))
    answer = people.get(f"{path}/workers/{number}", headers=owner)
    detail = answer.json()
    assert (detail["checks"], detail["right"], detail["accuracy"]) == (2, 1, 0.5)
    assert (round(detail["low"], 3), round(detail["high"], 3)) == (0.095, 0.905)  # Wilson's interval of one of two
    assert (detail["skill"]["value"], detail["spam"], detail["seconds"]) == (0.9, 0.1, 2.5)
    assert detail["questions"] == {"pet": {"classes": ["cat", "dog"], "confusion": [[1.0, 0.0], [1.0, 0.0]]}}
    assert {(answer["key"], answer["said"], answer["known"]) for answer in detail["gold"]} == {
        ("0", "cat", "cat"),
        ("1", "cat", "dog"),
    }
    assert detail["gold"][0]["at"] > detail["gold"][1]["at"]
    assert detail["pay"] == {"due": 2.0, "votes": 2}
    assert "Wendy" not in answer.text
    [row] = people.get(f"{path}/workers", headers=owner).json()
    assert row == {name: detail[name] for name in row}
    assert people.get(f"{path}/workers/{number}", headers=worker).status_code == 403
    assert people.get(f"{path}/workers/999999", headers=owner).status_code == 404


def test_a_new_worker_is_not_judged_yet(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store)
    number, _ = new_worker(people, owner, project)
    detail = people.get(f"/api/projects/{project}/workers/{number}", headers=owner).json()
    assert all(detail[name] is None for name in ("accuracy", "low", "high", "skill", "seconds", "spam"))
    assert (detail["questions"], detail["gold"]) == ({"pet": None}, [])


def test_a_malformed_worker_is_told(people: httpx.Client, owner: Headers, store: Store) -> None:
    project = make_project(store)
    wrong: list[object] = [{"kind": "model"}, {"name": "a\nb"}, {"name": ""}, {"link": "x"}, []]
    for body in wrong:
        assert people.post(f"/api/projects/{project}/workers", json=body, headers=owner).status_code == 422, body
