"""Simulated people are let in: each gets a token by which they may vote in one project, and do nothing else."""

from collections.abc import Sequence
from math import inf

from quorate.client import Client
from quorate.client.simulated_crowd.crowd import SimulatedCrowd
from quorate.client.simulated_crowd.item_keys import ItemKeys
from quorate.client.simulated_crowd.people import Ability
from quorate.client.simulated_crowd.truth import Truth


def enter(
    client: Client,
    project: int,
    people: Sequence[Ability],
    truth: Truth,
    *,
    speed: float = 1.0,
    most_votes: float = inf,
) -> SimulatedCrowd:
    """People of a project, as crowd or expert, ready to work.

    client: of somebody who manages the project; it must stay open while they work, to look up the keys of items.
    """
    return SimulatedCrowd(
        url=client.url,
        project=project,
        people=people,
        tokens={person.name: _token(client, project, person) for person in people},
        classes=client.projects.get(project).classes,
        truth=truth,
        key_of=ItemKeys(client, project).of,
        speed=speed,
        most_votes=most_votes,
    )


def _token(client: Client, project: int, person: Ability) -> str:
    """Get in as people do: by a link that is handed out, which opens a session; and agree to what is asked first."""
    link = client.workers.create(project, kind=person.role, name=person.name).link
    with Client(client.url) as first:
        token = first.workers.open_link(link).token
    with Client(client.url, token=token) as own:
        asked = own.work.consent(project)
        if asked.version is not None and not asked.agreed:
            own.work.agree(project, asked.version)
    return token
