"""A typed client of the service: needs httpx, and nothing of the service itself (pip install 'quorate[client]')."""

from quorate.client.answers import Batch, Feedback, Item, Lease, Overview, Project, Receipt
from quorate.client.client import Client
from quorate.client.errors import ClientError
from quorate.client.work import Vote, new_key

__all__ = [
    "Batch",
    "Client",
    "ClientError",
    "Feedback",
    "Item",
    "Lease",
    "Overview",
    "Project",
    "Receipt",
    "Vote",
    "new_key",
]
