from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI

from quorate.service.api import accounts, members, session, tokens
from quorate.service.store.database import Store
from quorate.service.usecases.credentials import new_session
from tests.service.people import new_account
from tests.service.serving import app_of, served


@pytest.fixture
def people_app(store: Store) -> FastAPI:
    return app_of(store, session.router, accounts.router, tokens.router, members.router)


@pytest.fixture
def people(people_app: FastAPI) -> Iterator[httpx.Client]:
    """Somebody who is not signed in yet."""
    with served(people_app) as address, httpx.Client(base_url=address) as client:
        yield client


@pytest.fixture
def owner(store: Store) -> dict[str, str]:
    """The headers of an owner."""
    return headers_of(store, new_account(store, "olga", "owner"))


def headers_of(store: Store, account_id: int) -> dict[str, str]:
    with store.write() as connection:
        return {"Authorization": f"Bearer {new_session(connection, account_id, store.clock())}"}
