"""A typed HTTP client of the service (pip install 'quorate[client]').

It needs httpx and nothing of the service, which is in `quorate.service`. Each module is one resource of the API.
Simulated workers that use the client are in `simulated_crowd`.
"""

from typing import TYPE_CHECKING

from quorate.registry.lazy import Exports, lazy_exports

if TYPE_CHECKING:
    from quorate.client.client import Client
    from quorate.client.errors import ClientError
    from quorate.client.reports import Band, Estimate
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
    from quorate.client.simulated_crowd.baseline import FixedVotes, fixed_majority
    from quorate.client.simulated_crowd.crowd import Order, SimulatedCrowd, enter
    from quorate.client.simulated_crowd.people import Ability, people
    from quorate.client.simulated_crowd.truth import Truth
    from quorate.client.simulated_crowd.watch import Watch
    from quorate.client.work import Vote, new_key

_EXPORTS: Exports = {
    "Ability": ("quorate.client.simulated_crowd.people", "Ability"),
    "Band": ("quorate.client.reports", "Band"),
    "Batch": ("quorate.client.responses", "Batch"),
    "Client": ("quorate.client.client", "Client"),
    "ClientError": ("quorate.client.errors", "ClientError"),
    "Completion": ("quorate.client.responses", "Completion"),
    "Consent": ("quorate.client.responses", "Consent"),
    "Effect": ("quorate.client.responses", "Effect"),
    "Estimate": ("quorate.client.reports", "Estimate"),
    "Event": ("quorate.client.responses", "Event"),
    "FixedVotes": ("quorate.client.simulated_crowd.baseline", "FixedVotes"),
    "Item": ("quorate.client.responses", "Item"),
    "Lease": ("quorate.client.responses", "Lease"),
    "Order": ("quorate.client.simulated_crowd.crowd", "Order"),
    "Overview": ("quorate.client.responses", "Overview"),
    "Project": ("quorate.client.responses", "Project"),
    "ProjectBrief": ("quorate.client.responses", "ProjectBrief"),
    "Receipt": ("quorate.client.responses", "Receipt"),
    "SimulatedCrowd": ("quorate.client.simulated_crowd.crowd", "SimulatedCrowd"),
    "Truth": ("quorate.client.simulated_crowd.truth", "Truth"),
    "Vote": ("quorate.client.work", "Vote"),
    "Watch": ("quorate.client.simulated_crowd.watch", "Watch"),
    "enter": ("quorate.client.simulated_crowd.crowd", "enter"),
    "fixed_majority": ("quorate.client.simulated_crowd.baseline", "fixed_majority"),
    "new_key": ("quorate.client.work", "new_key"),
    "people": ("quorate.client.simulated_crowd.people", "people"),
}

__all__ = [
    "Ability",
    "Band",
    "Batch",
    "Client",
    "ClientError",
    "Completion",
    "Consent",
    "Effect",
    "Estimate",
    "Event",
    "FixedVotes",
    "Item",
    "Lease",
    "Order",
    "Overview",
    "Project",
    "ProjectBrief",
    "Receipt",
    "SimulatedCrowd",
    "Truth",
    "Vote",
    "Watch",
    "enter",
    "fixed_majority",
    "new_key",
    "people",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_exports(__name__, _EXPORTS)
