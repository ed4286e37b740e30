from collections.abc import Iterator

import httpx
import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI

from quorate.service.accounts import passwords
from quorate.service.accounts.credentials import new_session
from quorate.service.routes import (
    accounts,
    item_media,
    members,
    panel_entry,
    session,
    tokens,
    visit,
    work,
    workers,
)
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
    modules = (session, accounts, tokens, members, workers, panel_entry, visit, item_media, work)
    return app_of(store, *(module.router for module in modules))


@pytest.fixture
def people(people_app: FastAPI) -> Iterator[httpx.Client]:
    """Yield a client that is not signed in."""
    with served(people_app) as address, httpx.Client(base_url=address, timeout=PATIENCE) as client:
        yield client


@pytest.fixture
def owner(store: Store) -> dict[str, str]:
    """Return the headers of an owner."""
    return headers_of(store, new_account(store, "olga", "owner"))


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def headers_of(store: Store, account_id: int) -> dict[str, str]:
    with store.write() as connection:
        return bearer(new_session(connection, account_id, store.clock()))
