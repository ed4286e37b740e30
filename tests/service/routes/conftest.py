from collections.abc import Iterator

import httpx
import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI

from quorate.service.accounts import passwords
from quorate.service.accounts.credentials import new_session
from quorate.service.routes import accounts, consent, members, seen, session, tokens, visit, work, workers
from quorate.service.routes import item_media as shown
from quorate.service.routes import panel_entry as door
from quorate.service.store.database import Store
from tests.service.people import new_account
from tests.service.serving import app_of, served
from tests.service.waiting import PATIENCE


@pytest.fixture(autouse=True)
def _hash_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords fast here; tests/service/accounts/test_passwords.py hashes them as the service does."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
    passwords._hash_of_nobody.cache_clear()


@pytest.fixture
def people_app(store: Store) -> FastAPI:
    nouns = (session, accounts, tokens, members, workers, consent, door, visit, shown, seen, work)
    return app_of(store, *(noun.router for noun in nouns))


@pytest.fixture
def people(people_app: FastAPI) -> Iterator[httpx.Client]:
    """Somebody who is not signed in yet."""
    with served(people_app) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield client


@pytest.fixture
def owner(store: Store) -> dict[str, str]:
    """The headers of an owner."""
    return headers_of(store, new_account(store, "olga", "owner"))


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def headers_of(store: Store, account_id: int) -> dict[str, str]:
    with store.write() as connection:
        return bearer(new_session(connection, account_id, store.clock()))
