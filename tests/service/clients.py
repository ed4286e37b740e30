"""Clients of the whole service, over HTTP, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager

from quorate.client import Client
from quorate.service.app import create_app
from quorate.service.settings import Settings
from quorate.service.store.database import Store
from quorate.service.usecases import credentials
from quorate.service.usecases.authorise import SCOPES
from tests.service.people import new_account
from tests.service.serving import SECRET, served


@contextmanager
def serving(store: Store) -> Iterator[str]:
    """The address of the whole service."""
    with served(create_app(store, Settings(), SECRET)) as url:
        yield url


def owner_token(store: Store) -> str:
    account = new_account(store, "olga", "owner")
    with store.write() as connection:
        return credentials.new_token(connection, account, store.clock(), scopes=frozenset(SCOPES), name="test")


def voter_token(store: Store, project_id: int, voter_id: int) -> str:
    with store.write() as connection:
        return credentials.new_voter_session(connection, voter_id, project_id, store.clock())


@contextmanager
def owner(store: Store) -> Iterator[Client]:
    """A client that may do everything."""
    with serving(store) as url, Client(url, token=owner_token(store)) as client:
        yield client
