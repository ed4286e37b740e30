"""Keys of items may hold the known label, as `dog/img2.png` does: nothing that a voter can fetch may contain them."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from quorate.client import Client
from quorate.service.accounts.credentials import new_session
from quorate.service.store.database import Store
from tests.service.clients import owner_token, serving
from tests.service.people import new_account, new_member
from tests.service.test_worker_reach import OPERATIONS, call
from tests.service.waiting import PATIENCE

KNOWN = ("cat/img1.png", "dog/img2.png", "cat/img3.png", "dog/img10.png")
UNKNOWN = ("img21.png", "img22.png", "img23.png", "img24.png")
FILES = KNOWN + UNKNOWN
SECRETS = (*FILES, *(Path(name).stem for name in FILES), "pets.zip", "gold")
CLASSES = ("cat", "dog")
SETTINGS: dict[str, Any] = {
    "name": "Pets",
    "questions": [{"name": "pet", "classes": list(CLASSES)}],
    "policy": {"name": "fixed_votes", "options": {"n": 1}},
    "learner": {"name": "none"},
    "workers": {"practice": 2, "gold_share": 0.5},
    "prices": {"votes": {"crowd": 1, "expert": 2}},
    "audit_share": 1.0,
    "consent": {"version": "1", "text": "Votes are kept."},
}
SIGN_OUT = "DELETE /api/session"


def zip_of_folders(path: Path) -> Path:
    """A zip of images: those of known class are in a folder of its name."""
    with zipfile.ZipFile(path, "w") as packed:
        for number, name in enumerate(FILES):
            data = io.BytesIO()
            Image.new("RGB", (8 + number, 8), (20 * number, 0, 0)).save(data, "PNG")
            packed.writestr(name, data.getvalue())
    return path


@dataclass
class Voter:
    """Somebody who votes, and all that the service answered."""

    http: httpx.Client
    project: int
    answers: list[httpx.Response] = field(default_factory=list)
    leases: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.http.event_hooks = {"response": [self._keep]}

    def work(self) -> None:
        """Do all that a voter's page does, until there is nothing left to do."""
        self.path("visit", "consent")
        self.post("consent", {"version": "1"})
        while leases := self.post("next", {"n": 3}).json()["leases"]:
            for lease in leases:
                self._answer(lease)
        self.path("visit", "completion")

    def _answer(self, lease: dict[str, Any]) -> None:
        task = f"tasks/{lease['task']}"
        self.leases.append(lease)
        self.path(f"{task}/media", f"{task}/html", f"{task}/told")
        if ticket := self.path("visit").json()["ticket"]:
            for what in ("media", "html"):
                self.http.get(f"/api/seen/{ticket}/{lease['task']}/{what}")
        self.post("leases/heartbeat", {"leases": [lease["lease"]]})
        vote = {"lease": lease["lease"], "key": f"k{lease['lease']}"}
        self.post("votes", {"votes": [{**vote, "label": "frog"}]})  # refused: there is no such class
        for _ in range(2):  # the second is known by its key
            taken = self.post("votes", {"votes": [{**vote, "label": "dog"}], "next": 1})
        self.post(f"votes/{taken.json()['votes'][0]['vote']}/amend", {"key": f"a{lease['lease']}", "label": "cat"})
        self.path(f"{task}/told")

    def reach_for_all_else(self, ids: dict[str, int]) -> None:
        """Call every operation that there is."""
        for label in sorted(OPERATIONS.keys() - {SIGN_OUT}):
            call(self.http, label, ids)

    def path(self, *names: str) -> httpx.Response:
        for name in names:
            answer = self.http.get(f"/api/projects/{self.project}/{name}")
        return answer

    def post(self, name: str, body: dict[str, Any]) -> httpx.Response:
        return self.http.post(f"/api/projects/{self.project}/{name}", json=body)

    def _keep(self, answer: httpx.Response) -> None:
        answer.read()
        self.answers.append(answer)


@pytest.fixture
def owner(store: Store, tmp_path: Path) -> Iterator[Client]:
    with serving(store, tmp_path / "data") as url, Client(url, token=owner_token(store)) as client:
        yield client


@pytest.fixture
def project(owner: Client, tmp_path: Path) -> int:
    number = owner.projects.create(SETTINGS).id
    read = owner.imports.upload(number, zip_of_folders(tmp_path / "pets.zip"), columns={"gold": {"pet": "folder"}})
    assert (read.added, read.bad) == (len(FILES), 0)
    owner.projects.set_state(number, "running")
    return number


def sent(answer: httpx.Response) -> str:
    """All that an answer says: its address, its headers and its body."""
    headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    return f"{answer.url}\n{answer.status_code}\n{headers}\n{answer.content.decode('latin-1')}"


def by_link(owner: Client, project: int, kind: Any) -> str:
    return owner.workers.open_link(owner.workers.create(project, kind=kind).link).token


def by_account(store: Store, project: int, role: str) -> str:
    account = new_account(store, f"a {role}", role)
    new_member(store, project, account, role)
    with store.write() as connection:
        return new_session(connection, account, store.clock())


@pytest.mark.parametrize("kind", ["worker", "expert", "worker account", "expert account"])
def test_no_answer_to_a_voter_contains_a_key(store: Store, owner: Client, project: int, kind: str) -> None:
    role = kind.split()[0]
    expert_link = by_link(owner, project, "expert")  # so that what the crowd decides is put to an audit
    if role == "expert":  # an expert is asked where the crowd has voted
        with httpx.Client(base_url=owner.url, headers=bearer(by_link(owner, project, "crowd"))) as http:
            Voter(http, project).work()
    if kind.endswith("account"):
        token = by_account(store, project, role)
    else:
        token = expert_link if role == "expert" else by_link(owner, project, "crowd")
    with httpx.Client(base_url=owner.url, headers=bearer(token), timeout=PATIENCE) as http:
        voter = Voter(http, project)
        voter.work()
        ids = dict.fromkeys(("vote_id", "item_id", "task_id", "import_id", "token_id", "delivery_id"), 1)
        ids |= {"project_id": project, "account_id": 1, "voter_id": 1, "webhook_id": 1}
        voter.reach_for_all_else(ids)
    assert any(answer.headers["Content-Type"] == "image/png" for answer in voter.answers)
    for answer in voter.answers:
        assert not [secret for secret in SECRETS if secret in sent(answer).lower()], sent(answer)[:2000]
    items = {item["id"]: item["key"] for item in owner.items.list_all(project)}  # a requester can tell which is which
    assert {lease["item"]["id"] for lease in voter.leases} <= items.keys()
    assert {items[lease["item"]["id"]] for lease in voter.leases} >= set(UNKNOWN)
    for lease in voter.leases:
        assert not [name for name in CLASSES if name in str(lease)], lease


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_practice_still_says_what_is_right_after_the_answer(owner: Client, project: int) -> None:
    items = {item["id"]: item["key"] for item in owner.items.list_all(project)}
    with httpx.Client(base_url=owner.url, headers=bearer(by_link(owner, project, "crowd"))) as http:
        voter = Voter(http, project)
        voter.post("consent", {"version": "1"})
        for _ in range(2):
            (lease,) = voter.post("next", {"n": 1}).json()["leases"]
            assert lease["practice"]
            vote = {"lease": lease["lease"], "key": f"k{lease['lease']}", "label": "dog"}
            (taken,) = voter.post("votes", {"votes": [vote]}).json()["votes"]
            assert taken["right"] == items[lease["item"]["id"]].partition("/")[0]
