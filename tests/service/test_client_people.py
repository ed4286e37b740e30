"""People by the client: sessions, tokens, accounts, members; on both databases."""

from collections.abc import Iterator

import pytest

from quorate.client import Client, ClientError
from quorate.service.accounts.accounts import first_owner_link
from quorate.service.store.database import Store
from tests.service.clients import serving
from tests.service.pools import make_project

PASSWORD = "correct horse battery"


@pytest.fixture
def url(store: Store) -> Iterator[str]:
    with serving(store) as address:
        yield address


@pytest.fixture
def owner(store: Store, url: str) -> Iterator[Client]:
    with store.write() as connection:
        link = first_owner_link(connection, url, store.clock())
    assert link is not None
    with Client(url) as client:
        assert client.session.join(link, PASSWORD, name="olga").role == "owner"
        yield client


def test_a_session_begins_and_ends(url: str, owner: Client) -> None:
    with Client(url) as client:
        with pytest.raises(ClientError, match="name or password is wrong"):
            client.session.sign_in("olga", "guessed, and wrong")
        assert client.session.sign_in("olga", PASSWORD).name == "olga"
        assert client.session.show().role == "owner"
        client.session.change_password(PASSWORD, "another horse battery")
        client.session.sign_out()
        with pytest.raises(ClientError, match="nobody is signed in"):
            client.session.show()


def test_a_token_does_what_its_scopes_say(url: str, owner: Client) -> None:
    token = owner.tokens.create("nightly", ["read"], days=1)
    with Client(url, token=token) as client:
        assert client.projects.list_all() == []
        with pytest.raises(ClientError, match="needs the scope 'manage'"):
            client.projects.create({"name": "Pets", "questions": [{"classes": ["cat", "dog"]}]})
    (known,) = owner.tokens.list_all()
    assert (known.name, known.scopes) == ("nightly", ["read"])
    owner.tokens.revoke(known.id)
    assert owner.tokens.list_all() == []


def test_an_account_is_invited_made_a_member_and_closed(store: Store, url: str, owner: Client) -> None:
    project = make_project(store)
    invited = owner.accounts.invite("Ben", "requester")
    with Client(url) as ben:
        ben.session.join(owner.accounts.new_link(invited.id).link, PASSWORD)
        with pytest.raises(ClientError, match="only requesters"):
            ben.projects.get(project)
        owner.members.put(project, "ben", "requester")
        assert ben.projects.get(project).name == "pets"
        assert [(member.name, member.role) for member in owner.members.list_all(project)] == [("ben", "requester")]
        owner.members.remove(project, invited.id)
        assert owner.members.list_all(project) == []
        owner.accounts.close(invited.id)
        with pytest.raises(ClientError, match="unknown, ended or revoked"):
            ben.session.show()
    assert [(one.name, one.state) for one in owner.accounts.list_all()] == [("olga", "active"), ("ben", "closed")]
