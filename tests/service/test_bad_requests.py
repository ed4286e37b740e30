"""What no client should send is refused in one line that says what to do, on both databases."""

import json
from collections.abc import Iterator

import httpx
import pytest

from quorate.service.operations.invariants import broken_rules
from quorate.service.store.database import Store
from tests.service.databases import new_database
from tests.service.fuzzing import Place, small_service
from tests.service.refusals import assert_refused_well
from tests.service.waiting import PATIENCE

JSON = "application/json"
PROJECT = '{{"name": "Pets", "questions": [{{"name": "pet", "classes": ["cat", "dog"]}}], {}}}'
NUL, LONE = "\\u0000", "\\ud800"
TEXTS = {
    "name": '{{"name": "a{}", "questions": [{{"classes": ["cat", "dog"]}}]}}',
    "class": '{{"name": "a", "questions": [{{"classes": ["cat{}", "dog"]}}]}}',
    "instructions": '{{"name": "a", "instructions": "{}", "questions": [{{"classes": ["cat", "dog"]}}]}}',
    "kind of voter": '{{"name": "a", "prices": {{"votes": {{"{}": 1}}}}, "questions": [{{"classes": ["a", "b"]}}]}}',
    "unknown name": '{{"name": "a", "{}": 1, "questions": [{{"classes": ["cat", "dog"]}}]}}',
}
NUMBERS = ("0", "-1", "1.5", "abc", "%00", "1%00", "%F0%28", "9223372036854775808", "9" * 30, "\u0661")


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def service(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("service")
    on_file = request.param == "sqlite"
    url = f"sqlite:///{folder / 'quorate.db'}" if on_file else new_database(request.getfixturevalue("postgres"))
    store = Store.open(url)
    with small_service(store, folder) as service:
        yield service
    store.close()


@pytest.fixture(scope="module")
def owner(service: Place) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url, headers=service.owner(), timeout=PATIENCE) as client:
        yield client


@pytest.fixture(scope="module")
def worker(service: Place) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url, headers=service.worker(), timeout=PATIENCE) as client:
        yield client


def send(client: httpx.Client, path: str, body: str | bytes, kind: str = JSON) -> tuple[int, str]:
    """Send a request that may be refused; return its status and message."""
    answer = client.post(path, content=body, headers={"Content-Type": kind})
    assert_refused_well(answer.status_code, answer.content)
    return answer.status_code, answer.json().get("error", "")


def test_characters_that_are_no_text_are_refused(owner: httpx.Client) -> None:
    for template in TEXTS.values():
        status, message = send(owner, "/api/projects", template.format(NUL))
        assert (status, "NUL character" in message) == (422, True)
        assert send(owner, "/api/projects", template.format(LONE))[0] == 422
    assert send(owner, "/api/accounts", f'{{"name": "{NUL}", "role": "worker"}}')[0] == 422
    utf16 = (
        TEXTS["name"].format(NUL).encode("utf-16")
    )  # JSON all the same, in which our look at the bytes finds nothing
    assert send(owner, "/api/projects", utf16)[0] in (201, 422)
    assert owner.get("/api/projects?q=%00").status_code == 422


def test_a_backslash_before_u0000_is_text(owner: httpx.Client) -> None:
    body = TEXTS["name"].format("\\\\u0000")
    assert owner.post("/api/projects", content=body, headers={"Content-Type": JSON}).json()["name"] == "a\\u0000"


def test_a_vote_with_such_characters_leaves_nothing_behind(service: Place, worker: httpx.Client) -> None:
    lease = worker.post("/api/projects/1/next", json={"n": 1}).json()["leases"][0]["lease"]
    for character in (NUL, LONE):
        for fields in (f'"label": "cat", "note": "{character}"', f'"label": "{character}"'):
            body = f'{{"votes": [{{"lease": {lease}, "key": "k", {fields}}}]}}'
            assert send(worker, "/api/projects/1/votes", body)[0] == 422
    with service.store.read() as connection:
        assert not any(broken_rules(connection).values())
    good = {"votes": [{"lease": lease, "key": "k", "label": "cat"}]}
    assert worker.post("/api/projects/1/votes", json=good).json()["votes"][0]["outcome"] == "counted"


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_that_name_nothing(owner: httpx.Client, number: str) -> None:
    for path in ("/api/projects/{}", "/api/projects/1/webhooks/{}/secret", "/api/projects/1/events?before={}"):
        answer = owner.get(path.format(number))
        assert answer.status_code == 422
        assert_refused_well(answer.status_code, answer.content)


def test_numbers_that_fit_but_name_nothing(owner: httpx.Client, worker: httpx.Client) -> None:
    largest = 2**62
    for path in (f"/api/projects/{largest}", f"/api/projects/1/webhooks/{largest}/secret"):
        assert owner.get(path).status_code == 404
    for client, status in ((owner, 404), (worker, 403)):
        assert client.post(f"/api/projects/{largest}/next", json={"n": 1}).status_code == status
    vote = {"votes": [{"lease": largest, "key": "k-largest", "label": "cat"}]}
    assert worker.post("/api/projects/1/votes", json=vote).json()["votes"][0]["outcome"] == "late"


@pytest.mark.parametrize(
    "part",
    [
        '"budget": 1e400',
        '"budget": NaN',
        '"pilot": {"items": 99999999999999999999}',
        '"workers": {"maximum_votes": 99999999999999999999}',
        '"policy": {"name": "fixed_votes", "options": {"n": 99999999999999999999}}',
        '"costs": {"matrix": [[0, 1], [1]]}',
        '"costs": {"matrix": []}',
        '"costs": {"matrix": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}',
        '"prices": {"votes": {}}',
        '"consent": {"url": "javascript:alert(1)"}',
    ],
)
def test_settings_that_make_no_sense(owner: httpx.Client, part: str) -> None:
    status, message = send(owner, "/api/projects", PROJECT.format(part))
    assert status == 422
    assert "inhomogeneous" not in message  # in our words, not in numpy's


def test_what_is_wrong_with_each_field_is_given_by_its_path(owner: httpx.Client) -> None:
    questions = [{"name": "a", "classes": ["cat", "dog"]}, {"name": "b", "classes": ["cat", "cat"]}]
    settings = {"name": "", "questions": questions, "workers": {"batch": 99, "checks": 0}}
    problem = owner.post("/api/projects", json=settings).json()
    assert problem["fields"] == {
        "name": "String should have at least 1 character",
        "questions.1": "the classes of 'b' must differ, got cat, cat",
        "workers.batch": "Input should be less than or equal to 50",
        "workers.checks": "Input should be greater than or equal to 1",
    }
    assert problem["error"].startswith("body.name: String should have at least 1 character; body.questions.1: ")
    forecast = owner.post("/api/forecast", json={"settings": settings, "items": 10, "accuracy": 0.8}).json()
    assert forecast["fields"] == problem["fields"]
    assert forecast["error"] == problem["error"].replace("body.", "")


def test_what_is_wrong_with_parameters_or_the_whole_body_has_no_field_of_the_body(owner: httpx.Client) -> None:
    assert set(owner.get("/api/projects/1/items?n=0").json()["fields"]) == {"query.n"}
    twice = {"name": "Pets", "questions": [{"classes": ["cat", "dog"]}] * 2}
    for body in (json.dumps(twice), "[]", "{", ""):
        answer = owner.post("/api/projects", content=body, headers={"Content-Type": JSON})
        assert (answer.status_code, set(answer.json())) == (422, {"error"})


@pytest.mark.parametrize("depth", [100, 5_000, 200_000])
def test_json_without_bottom(owner: httpx.Client, worker: httpx.Client, depth: int) -> None:
    nested = "[" * depth + "]" * depth
    assert send(owner, "/api/projects", nested)[0] in (400, 422)
    assert send(owner, "/api/projects", f'{{"name": {nested}}}')[0] in (400, 422)
    assert send(worker, "/api/projects/1/votes", f'{{"votes": {nested}}}')[0] in (400, 422)


def test_bodies_that_are_not_json(owner: httpx.Client) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "image/png", ""):
        status, message = send(owner, "/api/projects", '{"name": "a"}', kind)
        assert (status, "Content-Type: application/json" in message) == (422, True)
    assert send(owner, "/api/projects", b'{"name": ')[1].startswith("the body is not JSON: Expecting value")
    assert "UTF-8" in send(owner, "/api/projects", b'{"name": "\xff\xfe"}')[1]
    assert "normal size" in send(owner, "/api/projects", f'{{"budget": {"9" * 5000}}}')[1]
    assert send(owner, "/api/projects", b"")[0] == 422


def test_a_refusal_is_one_line_whatever_it_quotes(owner: httpx.Client) -> None:
    twice = '{"name": "a", "questions": [{"name": "x\\n\\r\\u2028y", "classes": ["a\\n\\nb", "a\\n\\nb"]}]}'
    assert "must differ" in send(owner, "/api/projects", twice)[1]


def test_addresses_and_methods_that_there_are_not(owner: httpx.Client) -> None:
    assert "/docs lists" in owner.get("/api/nothing").json()["error"]
    assert "PATCH is not possible" in owner.patch("/api/projects").json()["error"]
    strange = owner.get("/api/projects", headers={b"Authorization": b"Bearer \xff\xfe"})
    assert strange.status_code == 401
