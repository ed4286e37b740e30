"""All streams of a process: who listens to which project, from where on, and for how long."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from pydantic import BaseModel

from quorate.service.decisions import feed as news
from quorate.service.errors import TooMany
from quorate.service.store.database import Store
from quorate.service.streams.channel import Channel, EncodedDecision, encode_decisions, event

MOST_LISTENERS = 500  # of one process
HEARTBEAT = b": still here\n\n"


@dataclass(frozen=True, slots=True)
class Pace:
    """In seconds: how often the database is read, and listeners get a sign of life; when they must come again."""

    poll: float = 1.0
    heartbeat: float = 15.0
    longest: float = 900.0  # who may listen is asked again then


class Streams:
    """The open streams. Closing ends them all, so that a server can stop."""

    def __init__(self, store: Store, pace: Pace | None = None) -> None:
        self.store, self.pace = store, pace or Pace()
        self._channels: dict[int, Channel] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False

    def close(self) -> None:
        """End all streams, now and later; may be called from any thread, and by a handler of signals."""
        self._closing = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake_all)

    @property
    def listeners(self) -> int:
        """How many listen."""
        return sum(channel.listeners for channel in self._channels.values())

    def require_room(self) -> None:
        """Refuse one more where too many listen already."""
        if self.listeners >= MOST_LISTENERS:
            raise TooMany(f"{MOST_LISTENERS} streams are open already: close one, or come again later", 60)

    async def news(self, project_id: int, last: int | None = None) -> AsyncIterator[bytes]:
        """How a project stands, whenever that changes, and each decision. last: the number of the last one heard."""
        channel = self._join(project_id)
        arrived: int | None = None
        shown: bytes | None = None
        try:
            async for is_new in self._ticks(channel):
                if not is_new:
                    yield HEARTBEAT
                    continue
                came = self._came(channel, arrived, last)
                arrived, last = channel.arrived, channel.newest if last is None else last
                if channel.overview is not None and channel.overview != shown:
                    shown = channel.overview
                    yield shown
                async for page in self._missed(project_id, last) if came is None else _at_once(came):
                    yield b"".join(one.event for one in page)
                    last = max(last, *(one.number for one in page))
        finally:
            self._leave(channel)

    async def result(self, project_id: int, key: str, read: Callable[[], BaseModel | None]) -> AsyncIterator[bytes]:
        """One event, when an item is decided. read: what was decided on it; None while nothing is."""
        channel = self._join(project_id)
        arrived: int | None = None
        try:
            async for is_new in self._ticks(channel):
                if not is_new:
                    yield HEARTBEAT
                    continue
                came = None if arrived is None else channel.since(arrived)
                arrived = channel.arrived
                if came is None or any(one.item == key for one in came):
                    found = await asyncio.to_thread(read)
                    if found is not None:
                        yield event("result", found)
                        return
        finally:
            self._leave(channel)

    def _came(self, channel: Channel, arrived: int | None, last: int | None) -> list[EncodedDecision] | None:
        """What a listener has not heard yet; None where it must be read from the database."""
        if arrived is None:  # who comes for the first time hears what follows; who comes again, what was missed
            return [] if last is None else None
        return channel.since(arrived)

    async def _missed(self, project_id: int, last: int) -> AsyncIterator[list[EncodedDecision]]:
        """What was decided after a number, from the database, in pages."""
        after, up_to = await asyncio.to_thread(self._bounds, project_id, last)
        while page := await asyncio.to_thread(self._page, project_id, after, up_to):
            yield page
            after = page[-1].number

    def _bounds(self, project_id: int, last: int) -> tuple[int, int]:
        with self.store.read() as connection:
            after = news.resumed(connection, project_id, self.store.clock(), last)
            return after, news.newest(connection, project_id)

    def _page(self, project_id: int, after: int, up_to: int) -> list[EncodedDecision]:
        with self.store.read() as connection:
            return encode_decisions(news.between(connection, project_id, after, up_to))

    async def _ticks(self, channel: Channel) -> AsyncIterator[bool]:
        """True whenever there may be something new, False as a sign of life; until time is up, or the service stops."""
        clock = asyncio.get_running_loop().time
        ends = clock() + self.pace.longest
        while True:
            changed = channel.changed
            if channel.overview is not None:
                yield True
            if self._closing or clock() >= ends:
                return
            try:
                async with asyncio.timeout(self.pace.heartbeat):
                    await changed.wait()
            except TimeoutError:
                yield False

    def _join(self, project_id: int) -> Channel:
        self._loop = asyncio.get_running_loop()
        if project_id not in self._channels:
            self._channels[project_id] = Channel(self.store, project_id, self.pace.poll)
        channel = self._channels[project_id]
        channel.listeners += 1
        return channel

    def _leave(self, channel: Channel) -> None:
        channel.listeners -= 1
        if not channel.listeners:
            channel.close()
            del self._channels[channel.project_id]

    def _wake_all(self) -> None:
        for channel in self._channels.values():
            channel.wake()


async def _at_once(told: list[EncodedDecision]) -> AsyncIterator[list[EncodedDecision]]:
    """What is at hand already, as a page."""
    if told:
        yield told
