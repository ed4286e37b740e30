"""Events of one project, which one reader per process reads from the database, however many clients listen."""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import BaseModel

from quorate.service.dashboard.overview import overview
from quorate.service.decisions import feed
from quorate.service.projects import projects
from quorate.service.schemas import DecisionOut, OverviewOut
from quorate.service.store.database import Store

MAX_RECENT = 5000  # decisions; a listener that is further behind reads them from the database itself
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EncodedDecision:
    """Decision, encoded as a server-sent event. item: key of its item."""

    number: int
    item: str
    event: bytes


class Channel:
    """Latest overview and decisions of a project. It belongs to one event loop.

    Attributes:
        overview: the encoded overview; None until the first read.
        arrived: number of decisions since the channel was opened, the last of which are kept.
        newest: highest number of a decision.
        changed: set, and replaced by a new event, with every change.
    """

    def __init__(self, store: Store, project_id: int, poll_seconds: float) -> None:
        self.store, self.project_id, self.poll_seconds = store, project_id, poll_seconds
        self.listeners = 0
        self.overview: bytes | None = None
        self.arrived = 0
        self.newest = 0
        self.changed = asyncio.Event()
        self._recent: deque[EncodedDecision] = deque(maxlen=MAX_RECENT)
        self._follower: feed.Follower | None = None
        self._reader = asyncio.create_task(self._keep_reading())

    def close(self) -> None:
        """Stop reading."""
        self._reader.cancel()

    def wake(self) -> None:
        """Wake all listeners."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()

    def since(self, arrived: int) -> list[EncodedDecision] | None:
        """Return the decisions after the first `arrived`; None if some of them are no longer kept."""
        n_missing = self.arrived - arrived
        if n_missing > len(self._recent):
            return None
        return list(self._recent)[len(self._recent) - n_missing :] if n_missing else []

    async def _keep_reading(self) -> None:
        while True:
            more = False
            try:
                more = self._update(*await asyncio.to_thread(self._read))
            except Exception:  # such as a database that is away for a moment: it must not end the streams
                _logger.exception("project %s: reading its events failed, trying again", self.project_id)
            if not more:
                await asyncio.sleep(self.poll_seconds)

    def _read(self) -> tuple[bytes, list[EncodedDecision]]:
        now = self.store.clock()
        with self.store.read() as connection:
            state = OverviewOut.model_validate(overview(connection, projects.get(connection, self.project_id)))
            if self._follower is None:
                self._follower = feed.Follower.from_now(connection, self.project_id, now)
                self.newest = feed.newest(connection, self.project_id)
            return encode("overview", state), encode_decisions(self._follower.read(connection, now))

    def _update(self, state: bytes, decisions: list[EncodedDecision]) -> bool:
        """Store what was read, and wake the listeners; return whether there is more to read."""
        if decisions or state != self.overview:
            self.overview = state
            self._recent.extend(decisions)
            self.arrived += len(decisions)
            self.newest = max([self.newest, *(decision.number for decision in decisions)])
            self.wake()
        return len(decisions) == feed.PAGE


def encode_decisions(decisions: Iterable[Mapping[str, Any]]) -> list[EncodedDecision]:
    """Encode decisions as server-sent events."""
    models = [DecisionOut.model_validate(decision) for decision in decisions]
    return [EncodedDecision(model.id, model.item, encode("decision", model, number=model.id)) for model in models]


def encode(name: str, data: BaseModel, *, number: int | None = None) -> bytes:
    r"""Encode a server-sent event. number: its id.

    >>> from quorate.service.schemas import BandOut
    >>> encode("price", BandOut(value=2, low=1, high=4), number=7)
    b'event: price\nid: 7\ndata: {"value":2.0,"low":1.0,"high":4.0}\n\n'
    """
    id_line = b"" if number is None else b"id: %d\n" % number
    return b"event: %s\n%sdata: %s\n\n" % (name.encode(), id_line, orjson.dumps(data.model_dump()))
