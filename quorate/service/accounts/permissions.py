"""Permissions. Each function `may_...` raises Refused where the caller does not have the permission."""

from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select

from quorate.service.errors import Refused
from quorate.service.store.tables import members

READ, VOTE, CLASSIFY, MANAGE = "read", "vote", "classify", "manage"
SCOPES = (READ, VOTE, CLASSIFY, MANAGE)
OWNER, REQUESTER, EXPERT, WORKER = "owner", "requester", "expert", "worker"
ROLES = (OWNER, REQUESTER, EXPERT, WORKER)

_membership = select(members.c.role).where(
    members.c.project_id == bindparam("project"), members.c.account_id == bindparam("account")
)


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller: an account, or a voter of one project.

    `project_id` is the project of a voter, or the only one that a token opens. `voter_id` is None for accounts, whose
    voter in a project is found (or created) by `voters.find_or_create`.
    """

    credential_id: int
    kind: str  # of the credential: session | token
    account_id: int | None
    role: str
    voter_id: int | None
    project_id: int | None
    scopes: frozenset[str]
    name: str

    @property
    def actor(self) -> str:
        """The name in the audit log: an account by its name, a voter by its code."""
        return self.name if self.voter_id is None else f"voter {self.name}"


def may_manage(connection: Connection, caller: Principal, project_id: int) -> None:
    """Require permission to change a project: owners, and requesters who are members of it."""
    _check_scope(caller, MANAGE)
    if not _is_requester(connection, caller, project_id):
        raise Refused(f"only requesters of project {project_id} may change it: ask an owner to make you a member")


def may_read(connection: Connection, caller: Principal, project_id: int) -> None:
    """Require permission to see everything of a project, including gold labels and all votes: not for voters."""
    _check_scope(caller, READ)
    if not _is_requester(connection, caller, project_id):
        raise Refused(f"only requesters of project {project_id} may read it: ask an owner to make you a member")


def may_classify(connection: Connection, caller: Principal, project_id: int) -> None:
    """Require permission to classify items and read the results: for programs of a project's requesters."""
    _check_scope(caller, CLASSIFY)
    if not _is_requester(connection, caller, project_id):
        raise Refused(
            f"only requesters of project {project_id} may classify with it: ask an owner to make you a member"
        )


def may_vote(connection: Connection, caller: Principal, project_id: int) -> str:
    """Require permission to vote in a project; return the kind of voter: crowd or expert."""
    _check_scope(caller, VOTE)
    _check_project(caller, project_id)
    if caller.voter_id is not None:
        return "expert" if caller.role == EXPERT else "crowd"
    role = OWNER if caller.role == OWNER else _member_role(connection, caller, project_id)
    if role is None:
        raise Refused(f"you are not a member of project {project_id}: ask one of its requesters for a link")
    return "crowd" if role == WORKER else "expert"


def may_create_projects(caller: Principal) -> int:
    """Require permission to create projects: owners and requesters. Return the account's id."""
    _check_scope(caller, MANAGE)
    if (
        caller.voter_id is not None
        or caller.account_id is None
        or caller.project_id is not None
        or caller.role not in (OWNER, REQUESTER)
    ):
        raise Refused("only owners and requesters may create projects: ask an owner for the role")
    return caller.account_id


def may_manage_accounts(caller: Principal) -> None:
    """Require permission to list accounts: owners. With a token they may do no more, see `may_change_accounts`."""
    _check_scope(caller, MANAGE)
    if caller.voter_id is not None or caller.project_id is not None or caller.role != OWNER:
        raise Refused("only owners may manage accounts: ask an owner")


def may_change_accounts(caller: Principal) -> None:
    """Require permission to create and close accounts, and to create links that set passwords: owners who signed in.

    A token is not enough: with a link to its own account, whoever finds a token could take over the account.
    """
    may_manage_accounts(caller)
    _check_session(caller)


def may_change_own_account(caller: Principal) -> int:
    """Require permission to change one's own password or tokens: not with a token. Return the account's id."""
    _check_session(caller)
    if caller.account_id is None or caller.voter_id is not None:
        raise Refused("only a person with an account may do this: sign in with name and password")
    return caller.account_id


def readable_projects(connection: Connection, caller: Principal) -> list[int] | None:
    """Return the ids of the projects that the caller may read; None where all of them."""
    _check_scope(caller, READ)
    if caller.voter_id is not None:
        return []
    if caller.project_id is not None:
        return [caller.project_id] if _is_requester(connection, caller, caller.project_id) else []
    if caller.role == OWNER:
        return None
    query = select(members.c.project_id).where(members.c.account_id == caller.account_id, members.c.role == REQUESTER)
    return list(connection.execute(query).scalars())


def _check_scope(caller: Principal, scope: str) -> None:
    if scope not in caller.scopes and not (scope in (READ, CLASSIFY) and MANAGE in caller.scopes):
        scopes = ", ".join(sorted(caller.scopes)) or "none"
        raise Refused(f"this needs the scope {scope!r}, the credential has {scopes}: use another token")


def _check_session(caller: Principal) -> None:
    if caller.kind != "session":
        raise Refused(
            "accounts, passwords and tokens are changed only by a person who has signed in, not by an API token: "
            "sign in with name and password"
        )


def _check_project(caller: Principal, project_id: int) -> None:
    if caller.project_id is not None and caller.project_id != project_id:
        raise Refused(f"this credential opens project {caller.project_id} only, not {project_id}")


def _is_requester(connection: Connection, caller: Principal, project_id: int) -> bool:
    _check_project(caller, project_id)
    if caller.voter_id is not None:
        return False
    return caller.role == OWNER or _member_role(connection, caller, project_id) == REQUESTER


def _member_role(connection: Connection, caller: Principal, project_id: int) -> str | None:
    parameters = {"project": project_id, "account": caller.account_id}
    return connection.execute(_membership, parameters).scalar_one_or_none()
