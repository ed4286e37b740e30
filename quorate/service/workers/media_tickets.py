"""Tickets for media: part of the address of an image where browsers send no cookies, as in a frame of another site.

A ticket is valid for a day and shows only what its voter holds: an address may be stored by others.
"""

import re

from sqlalchemy import Connection

from quorate.service.accounts import credentials
from quorate.service.accounts.permissions import Principal
from quorate.service.errors import NotSignedIn
from quorate.service.signing import is_signed, sign

PURPOSE = "ticket"
SECONDS = 86_400
_TICKET = re.compile(r"([1-9][0-9]{0,17})\.([0-9]{1,12})\.([\w-]{43})", re.ASCII)


def new_ticket(secret: bytes, credential_id: int, now: float) -> str:
    """Return a ticket for the holder of a session; it ends with the session, if not before."""
    session, ends = str(credential_id), str(int(now) + SECONDS)
    return f"{session}.{ends}.{sign(secret, PURPOSE, session, ends)}"


def holder_of(connection: Connection, secret: bytes, ticket: str, now: float) -> Principal:
    """Return the holder of a ticket."""
    parts = _TICKET.fullmatch(ticket)
    if parts is not None and is_signed(parts[3], secret, PURPOSE, parts[1], parts[2]) and int(parts[2]) > now:
        holder = credentials.find_by_id(connection, int(parts[1]), now)
        if holder is not None:
            return holder
    raise NotSignedIn("this address has expired or was changed: reload the page")
