"""An audit answer is final once its expert was shown what others said: the certificate rests on independent answers."""

from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from quorate.service.dashboard.certificate import certificate
from quorate.service.items.overrides import ask_expert
from quorate.service.projects.plan import plan_of
from quorate.service.reports.audit import read_audit
from quorate.service.store.database import Store
from quorate.service.store.tables import items, questions, votes
from tests.service.people import new_account
from tests.service.pools import ask, make_project, make_voters, vote
from tests.service.routes.conftest import headers_of
from tests.service.routes.managing import as_voter

Headers = dict[str, str]
PRICES = {"votes": {"crowd": 1.0, "expert": 2.0}}


@dataclass
class Audit:
    """A task that the crowd decided as "cat", put to an auditor."""

    people: httpx.Client
    store: Store
    project: int
    headers: Headers
    task: int = 0
    vote: int = 0

    def answer(self, label: str | None) -> None:
        """Let the auditor answer the next task."""
        answer = {"label": label, "said": "skip" if label is None else "vote"}
        (lease,) = self._post("next", {"n": 1}).json()["leases"]
        taken = self._post("votes", {"votes": [{"lease": lease["lease"], "key": "first", **answer}]})
        self.task, self.vote = lease["task"], taken.json()["votes"][0]["vote"]

    def look(self) -> dict[str, Any]:
        """Let the auditor see what others said."""
        path = f"/api/projects/{self.project}/tasks/{self.task}/told"
        answer = self.people.get(path, headers=self.headers)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def amend(self, label: str | None, key: str = "second") -> httpx.Response:
        """Let the auditor change the answer; None takes it back."""
        sent = {"label": label, "said": "skip" if label is None else "vote", "key": key}
        answer = self._post(f"votes/{self.vote}/amend", sent)
        if answer.is_success:
            self.vote = answer.json()["vote"]
        return answer

    @property
    def certified(self) -> tuple[int, int]:
        """How many answers the certificate counts, and how many of them contradict what was accepted."""
        with self.store.read() as connection:
            (question,) = connection.execute(select(questions.c.id)).scalars()
            result = certificate({}, [read_audit(connection, question)._asdict()], 1.0)
        assert result is not None
        return result["audited"], result["wrong"]

    def _post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return self.people.post(f"/api/projects/{self.project}/{path}", json=body, headers=self.headers)


def decided_by_the_crowd(store: Store, **settings: Any) -> tuple[int, int]:
    """Create a project whose only task is decided as "cat" and to be audited, and an expert in it."""
    project = make_project(store, 1, prices=PRICES, audit_share=1.0, **settings)
    workers, (expert,) = make_voters(store, project, 3), make_voters(store, project, 1, kind="expert")
    for worker in workers:
        vote(store, worker, ask(store, worker).leases[0].id, "cat")
    return project, expert


@pytest.fixture
def audit(people: httpx.Client, store: Store) -> Audit:
    project, expert = decided_by_the_crowd(store)
    return Audit(people, store, project, as_voter(store, project, expert))


def test_an_answer_cannot_follow_what_others_said(audit: Audit) -> None:
    audit.answer("dog")
    assert audit.certified == (1, 1)
    audit.look()
    refused = [audit.amend(label) for label in ("cat", None)]
    assert audit.certified == (1, 1)
    assert [answer.status_code for answer in refused] == [409, 409]
    assert "votes of others" in refused[0].json()["error"]
    seen = audit.look()
    assert (seen["votes"][-1]["label"], seen["final"]) == ("dog", True)


def test_an_answer_may_be_amended_until_its_expert_has_looked(audit: Audit) -> None:
    audit.answer("dog")
    assert audit.amend("cat").status_code == 200
    assert audit.certified == (1, 0)
    audit.look()
    assert audit.amend("dog", "third").status_code == 409
    assert audit.certified == (1, 0)


def test_an_amendment_that_was_counted_is_acknowledged_again_after_the_look(audit: Audit) -> None:
    audit.answer("dog")
    vote_id, counted = audit.vote, audit.amend("cat").json()
    audit.look()
    audit.vote = vote_id
    assert audit.amend("cat").json() == counted


def test_a_skipped_audit_can_be_answered_since_nothing_was_shown(audit: Audit) -> None:
    audit.answer(None)
    path = f"/api/projects/{audit.project}/tasks/{audit.task}/told"
    assert audit.people.get(path, headers=audit.headers).status_code == 403
    assert audit.amend("dog").status_code == 200
    assert audit.certified == (1, 1)


def test_the_moment_of_the_first_look_is_kept(audit: Audit) -> None:
    audit.answer("dog")
    audit.look()
    audit.look()
    with audit.store.read() as connection:
        rows = connection.execute(select(votes.c.purpose, votes.c.revealed_at).order_by(votes.c.id)).all()
    assert [tuple(row) for row in rows] == [("work", None)] * 3 + [("audit", audit.store.clock())]


def test_an_owner_who_audits_is_bound_too(people: httpx.Client, store: Store) -> None:
    project, _ = decided_by_the_crowd(store)
    audit = Audit(people, store, project, headers_of(store, new_account(store, "olga", "owner")))
    audit.answer("dog")
    assert audit.look()["final"] is True
    assert audit.amend("cat").status_code == 409
    assert audit.certified == (1, 1)


def test_an_answer_that_a_requester_asked_for_stays_amendable(people: httpx.Client, store: Store) -> None:
    """Only audits are counted by the certificate; an expert who settles a task may change the mind."""
    project, expert = decided_by_the_crowd(store)
    with store.write() as connection:
        item = connection.execute(select(items.c.id)).scalar_one()
        ask_expert(connection, plan_of(connection, project, 1), item, None, actor="test", now=store.clock())
    audit = Audit(people, store, project, as_voter(store, project, expert))
    audit.answer("dog")
    assert audit.look()["final"] is False
    assert audit.amend("cat").status_code == 200


def test_looking_at_a_task_that_one_has_not_voted_on_changes_nothing(audit: Audit) -> None:
    audit.answer("dog")
    owner = headers_of(audit.store, new_account(audit.store, "olga", "owner"))
    seen = audit.people.get(f"/api/projects/{audit.project}/tasks/{audit.task}/told", headers=owner)
    assert seen.json()["final"] is False
    assert audit.amend("cat").status_code == 200
