"""The door for any crowd: a panel sends its people here with their number in the address, and gets them back.

A signed door takes only numbers that were signed with the project's door key, so that nobody can make numbers up:
`sig` is the HMAC-SHA256 of the worker's number in hexadecimal, which any panel or script can make.
"""

import hashlib
import hmac
from typing import Literal
from urllib.parse import quote, urlencode

from quorate.service.errors import Refused
from quorate.service.projects.settings import Door
from quorate.service.signing import sign
from quorate.service.store.database import Record
from quorate.service.workers import identities

SIGNATURE = "sig"  # the parameter of the entry address
# MTurk shows the work in a frame: before a worker has accepted, with this in place of the visit; it says where to
# submit in a parameter of its own, which is a site that the door must name.
PREVIEW, SUBMIT_TO = "ASSIGNMENT_ID_NOT_AVAILABLE", "turkSubmitTo"
Outcome = Literal["done", "failed", "no_work"]


def door_key(secret: bytes, project_id: int) -> str:
    """The key that signs the numbers of a project's workers; it opens nothing else."""
    return sign(secret, "door", str(project_id))


def signature_of(key: str, worker: str) -> str:
    """The signature of a worker's number."""
    return hmac.new(key.encode(), worker.encode(), hashlib.sha256).hexdigest()


def entry_address(address: str, project_id: int, door: Door, key: str, worker: str, session: str = "") -> str:
    """Where one worker enters, signed."""
    given = {door.worker_parameter: worker, door.session_parameter: session, SIGNATURE: signature_of(key, worker)}
    return f"{entry_page(address, project_id)}?{urlencode({name: value for name, value in given.items() if value})}"


def entry_page(address: str, project_id: int) -> str:
    """Where workers enter; the panel adds the parameters."""
    return f"{address.rstrip('/')}/enter/{project_id}"


def handed_over(door: Door, session: str, visit: str, submit_to: str) -> str:
    """What stands behind the # of the work's address where it is shown in a frame: browsers send no cookies there.

    >>> handed_over(Door(frames=("https://www.mturk.com",)), "qs_1", "A1", "https://www.mturk.com")
    'session=qs_1&visit=A1&submit=https%3A%2F%2Fwww.mturk.com'
    """
    told = {"session": session, "visit": visit, "submit": submit_to if submit_to in door.frames else ""}
    return urlencode({name: value for name, value in told.items() if value}) if door.frames else ""


def check_entry(door: Door, key: str, *, worker: str, session: str | None, signature: str) -> tuple[str, str | None]:
    """Return the numbers of a worker and a visit as they are kept; refuse those that may not come in.

    worker: the number on the panel. session: of this visit.
    """
    worker = identities.require_plain(worker, f"the worker's number ({door.worker_parameter})")
    if session is not None:
        session = identities.require_plain(session, f"the number of the visit ({door.session_parameter})")
    if door.signed and not hmac.compare_digest(signature.encode(), signature_of(key, worker).encode()):
        raise Refused("the signature of this entry address is missing or wrong: open it just as you got it")
    return worker, session


def outcome_of(state: str, n_votes: int) -> Outcome:
    """What a voter's visit came to.

    >>> outcome_of("active", 3), outcome_of("blocked", 3), outcome_of("new", 0)
    ('done', 'failed', 'no_work')
    """
    if state in ("failed", "blocked"):
        return "failed"
    return "done" if n_votes else "no_work"


def code_of(door: Door, outcome: Outcome) -> str:
    """The completion code that a panel knows an outcome by."""
    return {"done": door.code_done, "failed": door.code_failed, "no_work": door.code_no_work}[outcome]


def completion_address(door: Door, voter: Record, identity: Record | None, outcome: Outcome) -> str | None:
    """Where a voter goes back to, with all that is filled in made harmless."""
    if door.completion_url is None:
        return None
    filled = {
        "{worker}": voter.code if identity is None else identity.external_id,
        "{session}": "" if identity is None else identity.session or "",
        "{code}": code_of(door, outcome),
    }
    # Quoted values have no braces, so what is filled in first is never taken for a name.
    address = door.completion_url
    for name, value in filled.items():
        address = address.replace(name, quote(value, safe=""))
    return address
