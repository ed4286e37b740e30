"""The news of one project: read from the database by one reader per process, however many listen."""

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import BaseModel

from quorate.service.dashboard.overview import overview
from quorate.service.decisions import feed as news
from quorate.service.projects import projects
from quorate.service.schemas import DecisionOut, OverviewOut
from quorate.service.store.database import Store

KEPT = 5000  # decisions that a slow listener may be behind before it reads them from the database by itself
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EncodedDecision:
    """Decision, encoded as a server-sent event. item: key of its item."""

    number: int
    item: str
    event: bytes


class Channel:
    """arrived: how many decisions came since it was opened, the last of which are kept. Lives in one event loop."""

    def __init__(self, store: Store, project_id: int, poll_seconds: float) -> None:
        self.store, self.project_id, self.poll_seconds = store, project_id, poll_seconds
        self.listeners = 0
        self.overview: bytes | None = None  # ready to be sent; None until the first reading
        self.arrived = 0
        self.newest = 0  # the highest number of a decision that came
        self.changed = asyncio.Event()  # set, and replaced by another, with every change
        self._recent: deque[EncodedDecision] = deque(maxlen=KEPT)
        self._follower: news.Follower | None = None
        self._reading = asyncio.create_task(self._keep_reading())

    def close(self) -> None:
        """Stop reading."""
        self._reading.cancel()

    def wake(self) -> None:
        """Let everybody who waits have a look."""
        waiting, self.changed = self.changed, asyncio.Event()
        waiting.set()

    def since(self, arrived: int) -> list[EncodedDecision] | None:
        """What came after the first so many; None where some of it is not kept any more."""
        missing = self.arrived - arrived
        if missing > len(self._recent):
            return None
        return list(self._recent)[len(self._recent) - missing :] if missing else []

    async def _keep_reading(self) -> None:
        while True:
            more = False
            try:
                more = self._take(*await asyncio.to_thread(self._read))
            except Exception:  # whatever it is, such as a database that is away for a moment: it ends no stream
                _logger.exception("the stream of project %s could not be read, and is tried again", self.project_id)
            if not more:
                await asyncio.sleep(self.poll_seconds)

    def _read(self) -> tuple[bytes, list[EncodedDecision]]:
        now = self.store.clock()
        with self.store.read() as connection:
            state = OverviewOut.model_validate(overview(connection, projects.get(connection, self.project_id)))
            stands = event("overview", state)
            if self._follower is None:
                self._follower = news.Follower.from_now(connection, self.project_id, now)
                self.newest = news.newest(connection, self.project_id)
            return stands, encode_decisions(self._follower.read(connection, now))

    def _take(self, stands: bytes, made: list[EncodedDecision]) -> bool:
        """Keep what was read, and wake who waits; whether there is more to read at once."""
        if made or stands != self.overview:
            self.overview = stands
            self._recent.extend(made)
            self.arrived += len(made)
            self.newest = max([self.newest, *(one.number for one in made)])
            self.wake()
        return len(made) == news.PAGE


def encode_decisions(decisions: Iterable[Mapping[str, Any]]) -> list[EncodedDecision]:
    """Encode decisions as server-sent events."""
    models = [DecisionOut.model_validate(decision) for decision in decisions]
    return [EncodedDecision(model.id, model.item, event("decision", model, number=model.id)) for model in models]


def event(name: str, data: BaseModel, *, number: int | None = None) -> bytes:
    r"""A server-sent event.

    >>> from quorate.service.schemas import BandOut
    >>> event("price", BandOut(value=2, low=1, high=4), number=7)
    b'event: price\nid: 7\ndata: {"value":2.0,"low":1.0,"high":4.0}\n\n'
    """
    numbered = b"" if number is None else b"id: %d\n" % number
    return b"event: %s\n%sdata: %s\n\n" % (name.encode(), numbered, orjson.dumps(data.model_dump()))
