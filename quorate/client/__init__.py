"""A typed client of the service: needs httpx, and nothing of the service itself (pip install 'quorate[client]')."""

from quorate.client.client import Client
from quorate.client.errors import ClientError
from quorate.client.responses import (
    Batch,
    Completion,
    Consent,
    Effect,
    Event,
    Item,
    Lease,
    Overview,
    Project,
    ProjectBrief,
    Receipt,
)
from quorate.client.work import Vote, new_key

__all__ = [
    "Batch",
    "Client",
    "ClientError",
    "Completion",
    "Consent",
    "Effect",
    "Event",
    "Item",
    "Lease",
    "Overview",
    "Project",
    "ProjectBrief",
    "Receipt",
    "Vote",
    "new_key",
]
