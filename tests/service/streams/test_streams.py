"""Streams without HTTP: what listeners hear, in which order, and when they end."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from quorate.service.dashboard.overview import overview
from quorate.service.decisions import feed
from quorate.service.errors import TooMany
from quorate.service.store.database import Store
from quorate.service.store.tables import decisions, tasks
from quorate.service.streams import channel, streams
from quorate.service.streams.streams import HEARTBEAT, Pace, Streams
from tests.service.conftest import Clock
from tests.service.pools import ask, make_project, make_voters, vote

QUICK = Pace(poll=0.01, heartbeat=60.0, longest=600.0)


def decide(connection: Connection, project: int, n: int, at: float) -> list[int]:
    """Note decisions on the project's first task; their numbers."""
    task = connection.execute(select(tasks.c.id).where(tasks.c.project_id == project).limit(1)).scalar_one()
    row = {"project_id": project, "task_id": task, "made_at": at, "status": "crowd", "label": 1, "n_votes": 3}
    return list(connection.execute(insert(decisions).returning(decisions.c.id), [row] * n).scalars())


def decided(store: Store, project: int, n: int = 1) -> list[int]:
    with store.write() as connection:
        return decide(connection, project, n, store.clock())


def parsed(chunk: bytes) -> list[tuple[str, Any]]:
    """Return the names and data of events."""
    events = []
    for block in chunk.decode().split("\n\n")[:-1]:
        lines = dict(line.split(": ", 1) for line in block.split("\n"))
        data = json.loads(lines["data"])
        assert lines.get("id") == (str(data["id"]) if lines["event"] == "decision" else None)
        events.append((lines["event"], data))
    return events


async def heard(stream: AsyncIterator[bytes], *numbers: int) -> list[int]:
    """Listen until these decisions were received; return all that were."""
    came: list[int] = []
    async with asyncio.timeout(60):
        while not set(numbers) <= set(came):
            chunk = await anext(stream)
            if chunk != HEARTBEAT:
                came += [data["id"] for name, data in parsed(chunk) if name == "decision"]
    return came


def test_a_listener_hears_how_the_project_stands_and_each_decision(store: Store) -> None:
    project = make_project(store, 1)
    voters = make_voters(store, project, 3)

    async def listen() -> None:
        stream = Streams(store, QUICK).events(project)
        ((name, stands),) = parsed(await anext(stream))
        assert (name, stands["spent"]) == ("overview", 0.0)
        for voter in voters:
            lease = (await asyncio.to_thread(ask, store, voter)).leases[0]
            await asyncio.to_thread(vote, store, voter, lease.id, "dog")
        events: list[tuple[str, Any]] = []
        while not any(name == "decision" for name, _ in events):
            events += parsed(await anext(stream))
        decision = next(data for name, data in events if name == "decision")
        assert (decision["item"], decision["question"], decision["label"], decision["votes"]) == ("0", "pet", "dog", 3)
        stands = [data for name, data in events if name == "overview"][-1]
        assert (stands["spent"], stands["tasks"]) == (3.0, {"pet": {"crowd": 1}})

    asyncio.run(listen())


def test_who_comes_again_hears_what_was_missed_and_what_follows(store: Store, clock: Clock) -> None:
    project, other = make_project(store, 1), make_project(store, 1)
    first = decided(store, project, 3)
    clock.now += 100
    decided(store, other, 2)
    missed = decided(store, project, 2)

    async def listen() -> None:
        stream = Streams(store, QUICK).events(project, first[-1])
        assert await heard(stream, *missed) == ([] if store.is_sqlite else first) + missed
        later = await asyncio.to_thread(decided, store, project, 2)
        assert await heard(stream, *later) == later

    asyncio.run(listen())


def test_who_comes_first_hears_only_what_follows(store: Store) -> None:
    project = make_project(store, 1)
    decided(store, project, 3)

    async def listen() -> None:
        stream = Streams(store, QUICK).events(project)
        await anext(stream)
        later = await asyncio.to_thread(decided, store, project, 2)
        assert await heard(stream, *later) == later

    asyncio.run(listen())


def test_more_than_a_page_is_heard_in_full(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "PAGE", 4)
    project = make_project(store, 1)

    async def listen() -> None:
        stream, again = Streams(store, QUICK).events(project), Streams(store, QUICK).events(project, 0)
        await anext(stream)
        later = await asyncio.to_thread(decided, store, project, 11)
        assert await heard(stream, *later) == later
        assert await heard(again, *later) == later

    asyncio.run(listen())


def test_who_fell_behind_reads_from_the_database(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "MAX_RECENT", 3)
    project = make_project(store, 1)

    async def listen() -> None:
        all_streams = Streams(store, QUICK)
        slow, quick = all_streams.events(project), all_streams.events(project)
        await anext(slow)
        await anext(quick)
        later = [number for _ in range(5) for number in await asyncio.to_thread(decided, store, project, 2)]
        assert await heard(quick, *later)
        assert await heard(slow, *later) == later

    asyncio.run(listen())


def test_one_that_was_numbered_earlier_and_ended_later_is_heard(store: Store, clock: Clock) -> None:
    if store.is_sqlite:
        pytest.skip("SQLite has one writer at a time")
    project = make_project(store, 1)
    with store.read() as connection:
        follower = feed.Follower.from_now(connection, project, clock.now)

    def read() -> list[int]:
        with store.read() as connection:
            return [decision["id"] for decision in follower.read(connection, clock.now)]

    with store.write() as connection:
        early = decide(connection, project, 1, clock.now)
        late = decided(store, project)
        assert early < late
        assert read() == late
    assert read() == early
    with store.read() as connection:  # who heard the higher number last hears the lower one too
        assert feed.resumed(connection, project, clock.now, late[0]) < early[0]
    clock.now += feed.LATE_SECONDS
    assert read() == []
    assert (follower.floor, follower.seen) == (late[0], {})


def test_all_listeners_of_a_project_share_one_reader_which_ends_with_the_last(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(store, 1)

    async def listen() -> None:
        all_streams = Streams(store, QUICK)
        several = [all_streams.events(project) for _ in range(5)]
        for stream in several:
            await anext(stream)
        assert all_streams.listeners == 5
        assert sum("_keep_reading" in repr(task) for task in asyncio.all_tasks()) == 1
        monkeypatch.setattr(streams, "MAX_LISTENERS", 5)
        with pytest.raises(TooMany):
            all_streams.require_room()
        for stream in several:
            await stream.aclose()  # type: ignore[attr-defined]
        await asyncio.sleep(0)
        assert all_streams.listeners == 0
        assert sum("_keep_reading" in repr(task) for task in asyncio.all_tasks()) == 0

    asyncio.run(listen())


def test_a_sign_of_life_is_given_where_nothing_happens(store: Store) -> None:
    project = make_project(store, 1)

    async def listen() -> None:
        stream = Streams(store, Pace(poll=0.01, heartbeat=0.05, longest=60.0)).events(project)
        async with asyncio.timeout(60):
            while await anext(stream) != HEARTBEAT:
                pass

    asyncio.run(listen())


def test_a_stream_ends_with_its_time_or_with_the_service(store: Store) -> None:
    project = make_project(store, 1)

    async def listen() -> None:
        short = Streams(store, Pace(poll=0.01, heartbeat=0.05, longest=0.0))
        assert HEARTBEAT not in [chunk async for chunk in short.events(project)]
        assert short.listeners == 0
        all_streams = Streams(store, QUICK)
        stream = all_streams.events(project)
        await anext(stream)
        await asyncio.to_thread(all_streams.close)
        assert [chunk async for chunk in stream] == []
        assert all_streams.listeners == 0

    asyncio.run(listen())


def test_a_reading_that_fails_ends_no_stream(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    project = make_project(store, 1)
    failed = []

    def wrong(*_: object) -> Any:
        failed.append(1)
        monkeypatch.setattr(channel, "overview", overview)
        raise RuntimeError("away")

    async def listen() -> None:
        monkeypatch.setattr(channel, "overview", wrong)
        assert (await anext(Streams(store, QUICK).events(project))).startswith(b"event: overview")

    asyncio.run(listen())
    assert failed == [1]
    assert "reading its events failed, trying again" in caplog.text
