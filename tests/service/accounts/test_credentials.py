import pytest
from sqlalchemy import event, select, update

from quorate.service.accounts.credentials import (
    LINK_SECONDS,
    SESSION_SECONDS,
    delete_old,
    find,
    new_link,
    new_session,
    new_token,
    new_voter_session,
    revoke,
    revoke_all,
    use_link,
)
from quorate.service.errors import Refused
from quorate.service.store.database import Store
from quorate.service.store.tables import accounts, credentials
from tests.service.conftest import Clock
from tests.service.people import new_account, new_project, new_voter


def test_a_session_is_found_until_it_ends(store: Store, clock: Clock) -> None:
    account = new_account(store)
    with store.write() as connection:
        session = new_session(connection, account, clock())
        who = find(connection, session, clock())
        assert who is not None
        assert (who.account_id, who.role, who.name, who.kind) == (account, "owner", "ann", "session")
        assert who.scopes == {"read", "vote", "classify", "manage"}
        assert find(connection, session, clock() + SESSION_SECONDS - 1) is not None
        assert find(connection, session, clock() + SESSION_SECONDS) is None
        assert find(connection, session + "x", clock()) is None
        assert find(connection, "x" * 1_000_000, clock()) is None


def test_secrets_are_not_stored(store: Store, clock: Clock) -> None:
    account = new_account(store)
    with store.write() as connection:
        session = new_session(connection, account, clock())
        rows = connection.execute(select(credentials)).all()
    assert session not in str(rows)
    assert session[3:] not in str(rows)


def test_a_revoked_session_is_not_found(store: Store, clock: Clock) -> None:
    account = new_account(store)
    with store.write() as connection:
        first, second = (new_session(connection, account, clock()) for _ in range(2))
        who = find(connection, first, clock())
        assert who is not None
        revoke(connection, who.credential_id, clock())
        assert find(connection, first, clock()) is None
        assert find(connection, second, clock()) is not None


def test_a_closed_account_opens_nothing(store: Store, clock: Clock) -> None:
    account = new_account(store)
    with store.write() as connection:
        session = new_session(connection, account, clock())
        connection.execute(update(accounts).values(state="closed"))
        assert find(connection, session, clock()) is None


def test_all_sessions_of_an_account_end_except_one(store: Store, clock: Clock) -> None:
    account, other = new_account(store), new_account(store, "ben")
    with store.write() as connection:
        mine, gone, others = (new_session(connection, account_id, clock()) for account_id in (account, account, other))
        token = new_token(connection, account, clock(), scopes=frozenset({"read"}), name="script")
        who = find(connection, mine, clock())
        assert who is not None
        revoke_all(connection, account, clock(), keep=who.credential_id, tokens=False)
        live = [find(connection, secret, clock()) is not None for secret in (mine, gone, others, token)]
        assert live == [True, False, True, True]
        revoke_all(connection, account, clock(), tokens=True)
        live = [find(connection, secret, clock()) is not None for secret in (mine, gone, others, token)]
        assert live == [False, False, True, False]


def test_a_voter_may_only_vote_in_its_project(store: Store, clock: Clock) -> None:
    project = new_project(store)
    voter = new_voter(store, project, "abc", "expert")
    with store.write() as connection:
        who = find(connection, new_voter_session(connection, voter, project, clock()), clock())
    assert who is not None
    assert (who.voter_id, who.project_id, who.role, who.name) == (voter, project, "expert", "abc")
    assert (who.account_id, who.scopes, who.actor) == (None, frozenset({"vote"}), "voter abc")


def test_a_token_has_its_scopes_and_its_end(store: Store, clock: Clock) -> None:
    account, project = new_account(store), new_project(store)
    with store.write() as connection:
        token = new_token(
            connection,
            account,
            clock(),
            scopes=frozenset({"read", "vote"}),
            name="script",
            project_id=project,
            expires_at=clock() + 10,
        )
        who = find(connection, token, clock())
        assert who is not None
        assert (who.scopes, who.project_id, who.kind) == (frozenset({"read", "vote"}), project, "token")
        assert find(connection, token, clock() + 10) is None


def test_a_link_works_once(store: Store, clock: Clock) -> None:
    with store.write() as connection:
        link = new_link(connection, "owner", clock())
        assert find(connection, link, clock()) is None  # a link is no session
        assert use_link(connection, link, clock()) == ("owner", None)
        with pytest.raises(Refused, match="used before"):
            use_link(connection, link, clock())


def test_a_link_ends_and_a_session_is_no_link(store: Store, clock: Clock) -> None:
    account = new_account(store)
    with store.write() as connection:
        link = new_link(connection, "password", clock(), account_id=account)
        for secret, now in [(link, clock() + LINK_SECONDS), (new_session(connection, account, clock()), clock())]:
            with pytest.raises(Refused, match="expired"):
                use_link(connection, secret, now)
        assert use_link(connection, link, clock() + LINK_SECONDS - 1) == ("password", account)


def test_old_credentials_are_deleted(store: Store, clock: Clock) -> None:
    account = new_account(store)
    with store.write() as connection:
        new_session(connection, account, clock())
        kept = new_token(connection, account, clock(), scopes=frozenset({"read"}), name="script")
        use_link(connection, new_link(connection, "owner", clock()), clock())
        assert delete_old(connection, clock()) == 0
        assert delete_old(connection, clock() + 1) == 1
        assert delete_old(connection, clock() + SESSION_SECONDS + 1) == 1
        assert find(connection, kept, clock()) is not None


def test_finding_is_one_statement_by_an_index(store: Store, clock: Clock) -> None:
    account = new_account(store)
    with store.write() as connection:
        session = new_session(connection, account, clock())
    executed: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *call: executed.append(call[2]))
    with store.read() as connection:
        find(connection, session, clock())
    statements = [line for line in executed if "SELECT" in line]
    assert len(statements) == 1
    if store.is_sqlite:
        with store.read() as connection:
            plan = connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statements[0], ("",)).all()
        assert all("SCAN" not in row[3] for row in plan), plan
