"""Who may do what. Each function raises Refused where the answer is no."""

from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select

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
    """Who is calling: an account, or a voter of one project.

    `project_id` is that of a voter, or the only one which a token opens. `voter_id` is none for accounts, whose voter
    of a project is found (or created) by `voters.find_or_create`.
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
        """What the log calls it: an account by its name, a voter by its code."""
        return self.name if self.voter_id is None else f"voter {self.name}"


def may_manage(connection: Connection, who: Principal, project_id: int) -> None:
    """Change a project: its owner's side, and requesters who are members of it."""
    _check_scope(who, MANAGE)
    if not _is_requester(connection, who, project_id):
        raise Refused(f"only its requesters may change project {project_id}: ask an owner to make you a member")


def may_read(connection: Connection, who: Principal, project_id: int) -> None:
    """See everything of a project, gold and other people's votes included: not for voters."""
    _check_scope(who, READ)
    if not _is_requester(connection, who, project_id):
        raise Refused(f"only its requesters may look into project {project_id}: ask an owner to make you a member")


def may_classify(connection: Connection, who: Principal, project_id: int) -> None:
    """Have items classified, and see what came of them: for programs of a project's requesters."""
    _check_scope(who, CLASSIFY)
    if not _is_requester(connection, who, project_id):
        raise Refused(f"only its requesters may classify by project {project_id}: ask an owner to make you a member")


def may_vote(connection: Connection, who: Principal, project_id: int) -> str:
    """Vote in a project. Returns the kind of voter: crowd or expert."""
    _check_scope(who, VOTE)
    _check_project(who, project_id)
    if who.voter_id is not None:
        return "expert" if who.role == EXPERT else "crowd"
    role = OWNER if who.role == OWNER else _member_role(connection, who, project_id)
    if role is None:
        raise Refused(f"you are no member of project {project_id}: ask one of its requesters for a link")
    return "crowd" if role == WORKER else "expert"


def may_create_projects(who: Principal) -> None:
    """Make new projects: owners and requesters."""
    _check_scope(who, MANAGE)
    if who.voter_id is not None or who.project_id is not None or who.role not in (OWNER, REQUESTER):
        raise Refused("only owners and requesters may create projects: ask an owner for the role")


def may_manage_accounts(who: Principal) -> None:
    """Look after the accounts: owners. By a token they may only list them, see `may_change_accounts`."""
    _check_scope(who, MANAGE)
    if who.voter_id is not None or who.project_id is not None or who.role != OWNER:
        raise Refused("only owners may manage accounts: ask an owner")


def may_change_accounts(who: Principal) -> None:
    """Create and close accounts, and make links that set passwords: owners who have signed in.

    A token may not: with a link to its own account, whoever finds a token could take the whole account over.
    """
    may_manage_accounts(who)
    _check_session(who)


def may_change_own_account(who: Principal) -> int:
    """Change one's own password or tokens: an account that has signed in, not a token. Returns the account's id."""
    _check_session(who)
    if who.account_id is None or who.voter_id is not None:
        raise Refused("only a person with an account may do this: sign in with name and password")
    return who.account_id


def projects_of(connection: Connection, who: Principal) -> list[int] | None:
    """The projects that may be looked into; none = all."""
    _check_scope(who, READ)
    if who.voter_id is not None:
        return []
    if who.project_id is not None:
        return [who.project_id] if _is_requester(connection, who, who.project_id) else []
    if who.role == OWNER:
        return None
    found = select(members.c.project_id).where(members.c.account_id == who.account_id, members.c.role == REQUESTER)
    return list(connection.execute(found).scalars())


def join_as_requester(connection: Connection, who: Principal, project_id: int) -> None:
    """Make somebody who created a project a requester of it."""
    values = {"project_id": project_id, "account_id": who.account_id, "role": REQUESTER}
    connection.execute(insert(members).values(values))


def _check_scope(who: Principal, scope: str) -> None:
    if scope not in who.scopes and not (scope in (READ, CLASSIFY) and MANAGE in who.scopes):
        has = ", ".join(sorted(who.scopes)) or "none"
        raise Refused(f"this needs the scope {scope!r}, and what you sent has {has}: use another token")


def _check_session(who: Principal) -> None:
    if who.kind != "session":
        raise Refused(
            "accounts, passwords and tokens are changed only by a person who has signed in, not by an API token: "
            "sign in with name and password"
        )


def _check_project(who: Principal, project_id: int) -> None:
    if who.project_id is not None and who.project_id != project_id:
        raise Refused(f"what you sent opens project {who.project_id} only, not {project_id}")


def _is_requester(connection: Connection, who: Principal, project_id: int) -> bool:
    _check_project(who, project_id)
    if who.voter_id is not None:
        return False
    return who.role == OWNER or _member_role(connection, who, project_id) == REQUESTER


def _member_role(connection: Connection, who: Principal, project_id: int) -> str | None:
    found = connection.execute(_membership, {"project": project_id, "account": who.account_id})
    return found.scalar_one_or_none()
