"""Links of workers: each names one voter of one project, is signed, and opens nothing else."""

import re

from sqlalchemy import Connection

from quorate.service.errors import Refused
from quorate.service.signing import is_signed, sign
from quorate.service.store.database import Record
from quorate.service.workers import voters

PURPOSE = "worker link"
_LINK = re.compile(r"([1-9][0-9]{0,17})\.([a-z0-9]{1,40})\.([a-z]{1,16})\.([\w-]{43})", re.ASCII)


def worker_link(secret: bytes, project_id: int, code: str, kind: str) -> str:
    """Return the part after the # of a worker's address. It is always the same for the same voter."""
    return f"{project_id}.{code}.{kind}.{sign(secret, PURPOSE, str(project_id), code, kind)}"


def worker_address(address: str, project_id: int, link: str) -> str:
    """Return the address of a link. Browsers do not send the part after the #, so it stays out of logs."""
    return f"{address.rstrip('/')}/work/{project_id}#{link}"


def open_worker_link(connection: Connection, secret: bytes, link: str) -> Record:
    """Return the voter whom a link names."""
    parts = _LINK.fullmatch(link)
    if parts is None or not is_signed(parts[4], secret, PURPOSE, parts[1], parts[2], parts[3]):
        raise Refused("this link is incomplete or was changed: open it exactly as you got it, or ask for a new one")
    voter = voters.find_by_code(connection, int(parts[1]), parts[2], parts[3])
    if voter is None:
        raise Refused("the worker of this link does not exist any more: ask for a new one")
    return voter
