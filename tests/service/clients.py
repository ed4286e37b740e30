"""Clients of the whole service, over HTTP, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quorate.service.accounts import credentials
from quorate.service.accounts.permissions import SCOPES
from quorate.service.app import create_app
from quorate.service.config import Settings
from quorate.service.store.database import Store
from tests.service.people import new_account
from tests.service.serving import SECRET, served


@contextmanager
def serving(store: Store, folder: Path | None = None) -> Iterator[str]:
    """Serve the whole service; yield its address. folder: for uploads."""
    settings = Settings(data_folder=folder or Path("no such folder"))
    with served(create_app(store, settings, SECRET)) as url:
        yield url


def owner_token(store: Store, name: str = "olga") -> str:
    account = new_account(store, name, "owner")
    with store.write() as connection:
        return credentials.new_token(connection, account, store.clock(), scopes=frozenset(SCOPES), name="test")


def voter_token(store: Store, project_id: int, voter_id: int) -> str:
    with store.write() as connection:
        return credentials.new_voter_session(connection, voter_id, project_id, store.clock())
