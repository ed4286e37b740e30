from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import Connection

from quorate.service.accounts.permissions import (
    Principal,
    may_change_accounts,
    may_change_own_account,
    may_create_projects,
    may_manage,
    may_manage_accounts,
    may_read,
    may_vote,
    readable_projects,
)
from quorate.service.errors import Refused
from quorate.service.store.database import Store
from tests.service.people import new_account, new_member, new_project

ALL = frozenset({"read", "vote", "manage"})
Rule = Callable[[Connection, Principal, int], object]


def account(account_id: int, role: str) -> Principal:
    return Principal(1, "session", account_id, role, None, None, ALL, "ann")


def voter(project_id: int, role: str = "worker") -> Principal:
    return Principal(1, "session", None, role, 7, project_id, frozenset({"vote"}), "w1")


def test_owners_may_do_everything(store: Store) -> None:
    who, project = account(new_account(store), "owner"), new_project(store)
    with store.read() as connection:
        may_manage(connection, who, project)
        may_read(connection, who, project)
        assert may_vote(connection, who, project) == "expert"
        assert readable_projects(connection, who) is None
    may_create_projects(who)
    may_manage_accounts(who)
    may_change_accounts(who)


def test_requesters_may_change_what_they_are_members_of(store: Store) -> None:
    who, mine, other = (
        account(new_account(store, role="requester"), "requester"),
        new_project(store),
        new_project(store),
    )
    assert who.account_id
    new_member(store, mine, who.account_id)
    with store.read() as connection:
        may_manage(connection, who, mine)
        may_read(connection, who, mine)
        assert may_vote(connection, who, mine) == "expert"
        assert readable_projects(connection, who) == [mine]
        for rule in (may_manage, may_read, may_vote):
            with pytest.raises(Refused, match=str(other)):
                rule(connection, who, other)
    may_create_projects(who)
    with pytest.raises(Refused, match="owners"):
        may_manage_accounts(who)


@pytest.mark.parametrize(("role", "kind"), [("expert", "expert"), ("worker", "crowd")])
def test_experts_and_workers_may_only_vote(store: Store, role: str, kind: str) -> None:
    who, mine, other = account(new_account(store, role=role), role), new_project(store), new_project(store)
    assert who.account_id
    new_member(store, mine, who.account_id, role)
    with store.read() as connection:
        assert may_vote(connection, who, mine) == kind
        assert readable_projects(connection, who) == []
        refused: list[tuple[Rule, int]] = [(may_vote, other), (may_read, mine), (may_manage, mine)]
        for rule, project in refused:
            with pytest.raises(Refused):
                rule(connection, who, project)
    with pytest.raises(Refused, match="create projects"):
        may_create_projects(who)


@pytest.mark.parametrize(("role", "kind"), [("expert", "expert"), ("worker", "crowd")])
def test_voters_may_only_vote_in_their_project(store: Store, role: str, kind: str) -> None:
    who = voter(5, role)
    with store.read() as connection:
        assert may_vote(connection, who, 5) == kind
        refused: list[tuple[Rule, int]] = [(may_vote, 6), (may_read, 5), (may_manage, 5)]
        for rule, project in refused:
            with pytest.raises(Refused):
                rule(connection, who, project)
        with pytest.raises(Refused):
            readable_projects(connection, who)
    for check in (may_create_projects, may_manage_accounts, may_change_accounts, may_change_own_account):
        with pytest.raises(Refused):
            check(who)


def test_scopes_narrow_what_a_token_may_do(store: Store) -> None:
    owner, project = account(new_account(store), "owner"), new_project(store)
    rules: dict[str, Rule] = {"read": may_read, "vote": may_vote, "manage": may_manage}
    with store.read() as connection:
        for scope in rules:
            who = replace(owner, kind="token", scopes=frozenset({scope}))
            for name, rule in rules.items():
                if name == scope or (name, scope) == ("read", "manage"):
                    rule(connection, who, project)
                else:
                    with pytest.raises(Refused, match=f"scope '{name}'.* has {scope}"):
                        rule(connection, who, project)


def test_a_token_changes_no_account(store: Store) -> None:
    token = replace(account(new_account(store), "owner"), kind="token")
    may_manage_accounts(token)
    for check in (may_change_accounts, may_change_own_account):
        with pytest.raises(Refused, match="not by an API token"):
            check(token)


def test_a_token_of_one_project_opens_no_other(store: Store) -> None:
    who = replace(account(new_account(store), "owner"), kind="token", project_id=5)
    with store.read() as connection:
        may_manage(connection, who, 5)
        for rule in (may_manage, may_read, may_vote):
            with pytest.raises(Refused, match="opens project 5 only"):
                rule(connection, who, 6)
        assert readable_projects(connection, who) == [5]
    for check in (may_create_projects, may_manage_accounts, may_change_accounts, may_change_own_account):
        with pytest.raises(Refused):
            check(who)
