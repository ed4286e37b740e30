"""A service with a little in it, and who asks: for tests that send what the OpenAPI allows, and what it does not."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import insert

from quorate.service.accounts import credentials
from quorate.service.app import create_app
from quorate.service.config import Settings
from quorate.service.store import tables
from quorate.service.store.database import Store
from quorate.service.store.migrations import migrate
from tests.service.people import new_account, new_member
from tests.service.pools import ask, make_project, make_voters, vote
from tests.service.serving import SECRET, served


@dataclass
class Place:
    """A service that runs, with the ids of what is in it by the names that paths have for them."""

    store: Store
    url: str
    account_id: int
    voter_id: int
    ids: dict[str, int] = field(default_factory=dict)

    def owner(self) -> dict[str, str]:
        """The headers of an owner who has just signed in."""
        with self.store.write() as connection:
            return _bearer(credentials.new_session(connection, self.account_id, self.store.clock()))

    def worker(self) -> dict[str, str]:
        """The headers of a worker who has just come in."""
        with self.store.write() as connection:
            session = credentials.new_voter_session(
                connection, self.voter_id, self.ids["project_id"], self.store.clock()
            )
        return _bearer(session)


@contextmanager
def small_service(store: Store, folder: Path) -> Iterator[Place]:
    """A project at work, with gold, a webhook and the votes of another worker."""
    migrate(store)
    owner, member = new_account(store, "olga", "owner"), new_account(store, "mia", "worker")
    project_id = make_project(store, 30, gold={0: 0, 1: 1}, workers={"gold_share": 0.2})
    new_member(store, project_id, member, "worker")
    worker, other, idle = make_voters(store, project_id, 3)
    ids = {"project_id": project_id, "account_id": member, "voter_id": idle, "webhook_id": _webhook(store, project_id)}
    ids["lease"] = _of_other(store, other)
    with served(create_app(store, Settings(data_folder=folder), SECRET)) as url:
        firsts = dict.fromkeys(("vote_id", "item_id", "task_id", "import_id", "token_id", "delivery_id"), 1)
        yield Place(store, url, owner, worker, ids | firsts)


def _of_other(store: Store, voter_id: int) -> int:
    """Votes with a note that nobody else may read, and a lease that stays open."""
    *taken, left = ask(store, voter_id, 4).leases
    for lease in taken:
        vote(store, voter_id, lease.id, "dog", note="a note of another voter")
    return int(left.id)


def _webhook(store: Store, project_id: int) -> int:
    values = {"project_id": project_id, "url": "https://example.org/hook", "kinds": "item.decided", "secret": "nonce"}
    new = insert(tables.webhooks).values(**values, state="off", created_at=store.clock())
    with store.write() as connection:
        return int(connection.execute(new.returning(tables.webhooks.c.id)).scalar_one())


def _bearer(session: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {session}"}
