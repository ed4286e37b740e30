"""Entry of workers from a panel: they come with their id in the address, and return with a completion code.

A signed entry accepts only ids that were signed with the project's entry key, so that nobody can invent ids: `sig` is
the HMAC-SHA256 of the worker's id in hexadecimal, which any panel or script can compute.
"""

import hashlib
import hmac
from typing import Literal
from urllib.parse import quote, urlencode

from quorate.service.errors import Refused
from quorate.service.projects.settings import PanelEntry
from quorate.service.signing import sign
from quorate.service.store.database import Record
from quorate.service.workers import identities

SIGNATURE = "sig"  # the parameter of the entry address
# MTurk shows the work in a frame, before a worker has accepted with this in place of the id of the visit. The site to
# which the work is submitted comes in a parameter of its own; it must be one of the entry's `frames`.
PREVIEW, SUBMIT_TO = "ASSIGNMENT_ID_NOT_AVAILABLE", "turkSubmitTo"
Outcome = Literal["done", "failed", "no_work"]


def entry_key(secret: bytes, project_id: int) -> str:
    """Return the key that signs the ids of a project's workers; it opens nothing else."""
    return sign(secret, "door", str(project_id))


def signature_of(key: str, worker: str) -> str:
    """Return the signature of a worker's id."""
    return hmac.new(key.encode(), worker.encode(), hashlib.sha256).hexdigest()


def entry_address(address: str, project_id: int, entry: PanelEntry, key: str, worker: str, session: str = "") -> str:
    """Return the signed entry address of a worker."""
    parameters = {
        entry.worker_parameter: worker,
        entry.session_parameter: session,
        SIGNATURE: signature_of(key, worker),
    }
    return (
        f"{entry_page(address, project_id)}?{urlencode({name: value for name, value in parameters.items() if value})}"
    )


def entry_page(address: str, project_id: int) -> str:
    """Return the address where workers enter; the panel adds the parameters."""
    return f"{address.rstrip('/')}/enter/{project_id}"


def frame_fragment(entry: PanelEntry, session: str, visit: str, submit_to: str) -> str:
    """Return the part after the # of the work's address in a frame, where browsers send no cookies.

    >>> frame_fragment(PanelEntry(frames=("https://www.mturk.com",)), "qs_1", "A1", "https://www.mturk.com")
    'session=qs_1&visit=A1&submit=https%3A%2F%2Fwww.mturk.com'
    """
    values = {"session": session, "visit": visit, "submit": submit_to if submit_to in entry.frames else ""}
    return urlencode({name: value for name, value in values.items() if value}) if entry.frames else ""


def check_entry(
    entry: PanelEntry, key: str, *, worker: str, session: str | None, signature: str
) -> tuple[str, str | None]:
    """Return the ids of a worker and a visit as they are stored; refuse those that may not enter.

    worker: the id on the panel. session: the id of this visit.
    """
    worker = identities.require_plain(worker, f"the id of the worker ({entry.worker_parameter})")
    if session is not None:
        session = identities.require_plain(session, f"the id of the visit ({entry.session_parameter})")
    if entry.signed and not hmac.compare_digest(signature.encode(), signature_of(key, worker).encode()):
        raise Refused("the signature of this entry address is missing or wrong: open it exactly as you got it")
    return worker, session


def outcome_of(state: str, n_votes: int) -> Outcome:
    """Return the outcome of a voter's visit.

    >>> outcome_of("active", 3), outcome_of("blocked", 3), outcome_of("new", 0)
    ('done', 'failed', 'no_work')
    """
    if state in ("failed", "blocked"):
        return "failed"
    return "done" if n_votes else "no_work"


def completion_code(entry: PanelEntry, outcome: Outcome) -> str:
    """Return the completion code of an outcome."""
    return {"done": entry.code_done, "failed": entry.code_failed, "no_work": entry.code_no_work}[outcome]


def completion_address(entry: PanelEntry, voter: Record, identity: Record | None, outcome: Outcome) -> str | None:
    """Return the address to which a voter returns, with quoted values; None where the panel has none."""
    if entry.completion_url is None:
        return None
    values = {
        "{worker}": voter.code if identity is None else identity.external_id,
        "{session}": "" if identity is None else identity.session or "",
        "{code}": completion_code(entry, outcome),
    }
    # Quoted values have no braces, so a value is never taken for a name.
    address = entry.completion_url
    for name, value in values.items():
        address = address.replace(name, quote(value, safe=""))
    return address
