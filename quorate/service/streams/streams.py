"""All streams of a process: which clients listen to which project."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from pydantic import BaseModel

from quorate.service.decisions import feed
from quorate.service.errors import TooMany
from quorate.service.store.database import Store
from quorate.service.streams.channel import Channel, EncodedDecision, encode, encode_decisions

MAX_LISTENERS = 500  # of one process
HEARTBEAT = b": still here\n\n"


@dataclass(frozen=True, slots=True)
class Pace:
    """Intervals in seconds: between reads of the database, between heartbeats, and until a stream ends.

    A client connects again after `longest` seconds, and its permissions are checked again.
    """

    poll: float = 1.0
    heartbeat: float = 15.0
    longest: float = 900.0


class Streams:
    """Open streams. Closing ends them all, so that a server can stop."""

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
        """Number of open streams."""
        return sum(channel.listeners for channel in self._channels.values())

    def require_room(self) -> None:
        """Raise an error if there are too many streams."""
        if self.listeners >= MAX_LISTENERS:
            raise TooMany(f"{MAX_LISTENERS} streams are open already: close one, or try again later", 60)

    async def events(self, project_id: int, last: int | None = None) -> AsyncIterator[bytes]:
        """Yield the overview of a project whenever it changes, and each decision.

        last: number of the last decision that the client received; None for new decisions only.
        """
        channel = self._join(project_id)
        arrived: int | None = None
        sent: bytes | None = None
        try:
            async for is_new in self._ticks(channel):
                if not is_new:
                    yield HEARTBEAT
                    continue
                unsent = self._unsent(channel, arrived, last)
                arrived, last = channel.arrived, channel.newest if last is None else last
                if channel.overview is not None and channel.overview != sent:
                    sent = channel.overview
                    yield sent
                async for page in self._missed(project_id, last) if unsent is None else _as_page(unsent):
                    yield b"".join(decision.event for decision in page)
                    last = max(last, *(decision.number for decision in page))
        finally:
            self._leave(channel)

    async def result(self, project_id: int, key: str, read: Callable[[], BaseModel | None]) -> AsyncIterator[bytes]:
        """Yield one event when an item is decided. read: returns the result; None while the item is undecided."""
        channel = self._join(project_id)
        arrived: int | None = None
        try:
            async for is_new in self._ticks(channel):
                if not is_new:
                    yield HEARTBEAT
                    continue
                decisions = None if arrived is None else channel.since(arrived)
                arrived = channel.arrived
                if decisions is None or any(decision.item == key for decision in decisions):
                    result = await asyncio.to_thread(read)
                    if result is not None:
                        yield encode("result", result)
                        return
        finally:
            self._leave(channel)

    def _unsent(self, channel: Channel, arrived: int | None, last: int | None) -> list[EncodedDecision] | None:
        """Return the decisions that a client has not received; None if they must be read from the database."""
        if arrived is None:  # a new client receives what follows; one that connects again also what it missed
            return [] if last is None else None
        return channel.since(arrived)

    async def _missed(self, project_id: int, last: int) -> AsyncIterator[list[EncodedDecision]]:
        """Yield pages of the decisions after a number, from the database."""
        after, up_to = await asyncio.to_thread(self._bounds, project_id, last)
        while page := await asyncio.to_thread(self._page, project_id, after, up_to):
            yield page
            after = page[-1].number

    def _bounds(self, project_id: int, last: int) -> tuple[int, int]:
        with self.store.read() as connection:
            after = feed.resumed(connection, project_id, self.store.clock(), last)
            return after, feed.newest(connection, project_id)

    def _page(self, project_id: int, after: int, up_to: int) -> list[EncodedDecision]:
        with self.store.read() as connection:
            return encode_decisions(feed.between(connection, project_id, after, up_to))

    async def _ticks(self, channel: Channel) -> AsyncIterator[bool]:
        """Yield True whenever something may have changed, False for a heartbeat, until the stream has to end."""
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


async def _as_page(decisions: list[EncodedDecision]) -> AsyncIterator[list[EncodedDecision]]:
    """Yield decisions as one page, unless there are none."""
    if decisions:
        yield decisions
