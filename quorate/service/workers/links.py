"""In-house links: each names one voter of one project, is signed, and opens nothing else."""

import re

from sqlalchemy import Connection

from quorate.service.errors import Refused
from quorate.service.signing import is_signed, sign
from quorate.service.store.database import Record
from quorate.service.workers import voters

PURPOSE = "worker link"
_LINK = re.compile(r"([1-9][0-9]{0,17})\.([a-z0-9]{1,40})\.([a-z]{1,16})\.([\w-]{43})", re.ASCII)


def worker_link(secret: bytes, project_id: int, code: str, kind: str) -> str:
    """What stands behind the # of a worker's address. It is the same whenever it is made."""
    return f"{project_id}.{code}.{kind}.{sign(secret, PURPOSE, str(project_id), code, kind)}"


def worker_address(address: str, project_id: int, link: str) -> str:
    """Where a worker opens a link; what is behind a # is not sent by browsers, and stays out of logs."""
    return f"{address.rstrip('/')}/work/{project_id}#{link}"


def open_worker_link(connection: Connection, secret: bytes, link: str) -> Record:
    """The voter whom a link names."""
    parts = _LINK.fullmatch(link)
    if parts is None or not is_signed(parts[4], secret, PURPOSE, parts[1], parts[2], parts[3]):
        raise Refused("this link is not complete or was changed: open it just as you got it, or ask for a new one")
    voter = voters.find(connection, int(parts[1]), parts[2], parts[3])
    if voter is None:
        raise Refused("whom this link names is not known any more: ask for a new one")
    return voter
