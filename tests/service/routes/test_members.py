import httpx

from quorate.service.store.database import Store
from tests.service.people import new_account, new_member, new_project
from tests.service.routes.conftest import headers_of

Headers = dict[str, str]


def test_requesters_choose_who_belongs_to_their_project(people: httpx.Client, store: Store) -> None:
    project, rita = new_project(store), new_account(store, "rita", "requester")
    new_member(store, project, rita)
    headers, path = headers_of(store, rita), f"/api/projects/{project}/members"
    ed = new_account(store, "ed", "expert")
    for role in ("expert", "worker"):
        assert people.post(path, json={"name": "Ed", "role": role}, headers=headers).status_code == 204
        listed = {member["name"]: member["role"] for member in people.get(path, headers=headers).json()}
        assert listed == {"rita": "requester", "ed": role}
    assert people.delete(f"{path}/{ed}", headers=headers).status_code == 204
    assert people.delete(f"{path}/{ed}", headers=headers).status_code == 404
    assert [member["name"] for member in people.get(path, headers=headers).json()] == ["rita"]


def test_a_member_is_never_more_than_the_account(people: httpx.Client, owner: Headers, store: Store) -> None:
    path = f"/api/projects/{new_project(store)}/members"
    for role, most in [("worker", 1), ("expert", 2), ("requester", 3), ("owner", 3)]:
        new_account(store, f"a {role}", role)
        sent = [{"name": f"a {role}", "role": other} for other in ("worker", "expert", "requester")]
        codes = [people.post(path, json=body, headers=owner).status_code for body in sent]
        assert codes == [204] * most + [409] * (3 - most)


def test_others_may_neither_look_nor_change(people: httpx.Client, store: Store) -> None:
    project = new_project(store)
    path = f"/api/projects/{project}/members"
    for role in ("requester", "expert", "worker"):
        account = new_account(store, f"a {role}", role)
        if role != "requester":
            new_member(store, project, account, role)
        headers, new = headers_of(store, account), {"name": f"a {role}", "role": "requester"}
        assert people.get(path, headers=headers).status_code == 403
        assert people.post(path, json=new, headers=headers).status_code == 403
        assert people.delete(f"{path}/{account}", headers=headers).status_code == 403


def test_what_does_not_exist_is_told(people: httpx.Client, owner: Headers, store: Store) -> None:
    new = {"name": "nobody", "role": "expert"}
    assert people.post(f"/api/projects/{new_project(store)}/members", json=new, headers=owner).status_code == 404
    assert people.get("/api/projects/999/members", headers=owner).status_code == 404
    assert people.get("/api/projects/x/members", headers=owner).status_code == 422
