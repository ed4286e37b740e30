"""The learner tells that it lives, where every server of its database can read it."""

import os

from sqlalchemy import insert, update

from quorate.service.store.database import Store
from quorate.service.store.tables import heartbeats

LEARNER = "learner"


def beat(store: Store) -> None:
    """Tell that the learner lives now. There is one learner, so nobody else writes this row."""
    values = {"beat_at": store.clock(), "pid": os.getpid()}
    with store.write() as connection:
        if not connection.execute(update(heartbeats).where(heartbeats.c.name == LEARNER).values(values)).rowcount:
            connection.execute(insert(heartbeats), values | {"name": LEARNER})
