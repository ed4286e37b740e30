"""The heartbeat of the learner, which every server of its database can read."""

import os

from sqlalchemy import Connection, insert, select, update

from quorate.service.store.database import Store
from quorate.service.store.tables import heartbeats

LEARNER = "learner"
LATE_SECONDS = 60.0  # after which a learner without a heartbeat is reported as late


def beat(store: Store) -> None:
    """Record that the learner is alive now. There is one learner, so nobody else writes this row."""
    values = {"beat_at": store.clock(), "pid": os.getpid()}
    with store.write() as connection:
        if not connection.execute(update(heartbeats).where(heartbeats.c.name == LEARNER).values(values)).rowcount:
            connection.execute(insert(heartbeats), values | {"name": LEARNER})


def learner_age(connection: Connection, now: float) -> float | None:
    """Return the seconds since the last heartbeat of the learner; None where it has never run."""
    beat_at = connection.scalar(select(heartbeats.c.beat_at).where(heartbeats.c.name == LEARNER))
    return None if beat_at is None else max(0.0, now - beat_at)
