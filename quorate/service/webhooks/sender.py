"""Brings notices to their addresses, in a thread of its own with its own event loop.

Each webhook is served by itself: one that is slow or dead keeps no other waiting.
"""

import asyncio
import logging
import random
import threading
from collections.abc import Sequence
from datetime import UTC, datetime

import orjson
from sqlalchemy.exc import SQLAlchemyError

from quorate.service.store.database import Record, Store
from quorate.service.webhooks.outbox import due_webhooks, settle, take
from quorate.service.webhooks.posting import Outcome, post
from quorate.service.webhooks.signature import secret_of, sign

POLL_SECONDS = 0.5
AT_ONCE = 16  # notices of one webhook
MOST_WEBHOOKS = 32  # served at the same time by one process
GRACE_SECONDS = 3.0  # for what is under way when the service stops
_logger = logging.getLogger(__name__)


class Sender:
    """Sends what is due. secret: the service's own. seconds: that a receiver has for its answer."""

    def __init__(self, store: Store, secret: bytes, *, allow_private: bool = False, seconds: float = 15.0) -> None:
        self.store = store
        self.secret = secret
        self.allow_private = allow_private
        self.seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)

    def start(self) -> None:
        """Begin to send in the background."""
        self._thread.start()

    def stop(self) -> None:
        """Take no more, let what is under way end, and return; what does not end in time is sent again later."""
        self._stop.set()
        self._thread.join()

    async def send_due(self) -> int:
        """Send once what is due now; how many were tried."""
        sent = [self._serve(webhook) for webhook in await asyncio.to_thread(self._due)]
        return sum(await asyncio.gather(*sent))

    def _run(self) -> None:
        asyncio.run(self._keep_sending())

    async def _keep_sending(self) -> None:
        busy: dict[int, asyncio.Task[int]] = {}
        while not self._stop.is_set():
            for webhook in await self._reached_due():
                if webhook not in busy and len(busy) < MOST_WEBHOOKS:
                    busy[webhook] = asyncio.create_task(self._serve(webhook))
            if busy:
                await asyncio.wait(busy.values(), timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.to_thread(self._stop.wait, POLL_SECONDS)
            for webhook in [webhook for webhook, task in busy.items() if task.done()]:
                _tell_of_failure(busy.pop(webhook))
        if busy:
            await asyncio.wait(busy.values(), timeout=GRACE_SECONDS)

    async def _reached_due(self) -> list[int]:
        """What is due; nothing while the database cannot be reached, which must not end the thread."""
        try:
            return await asyncio.to_thread(self._due)
        except SQLAlchemyError:
            _logger.exception("webhooks cannot reach the database, and will try again")
            return []

    def _due(self) -> list[int]:
        with self.store.read() as connection:
            found = due_webhooks(connection, self.store.clock())
        random.shuffle(found)
        return found

    async def _serve(self, webhook_id: int) -> int:
        hook, notices = await asyncio.to_thread(self._take, webhook_id)
        if hook is None:
            return 0
        outcomes = await asyncio.gather(*(self._send(hook, notice) for notice in notices))
        await asyncio.to_thread(self._settle, list(zip(notices, outcomes, strict=True)))
        return len(notices)

    def _take(self, webhook_id: int) -> tuple[Record | None, Sequence[Record]]:
        with self.store.write() as connection:
            return take(connection, webhook_id, self.store.clock(), AT_ONCE)

    def _settle(self, tried: list[tuple[Record, Outcome]]) -> None:
        with self.store.write() as connection:
            for notice, outcome in tried:
                settle(connection, notice, outcome, self.store.clock())

    async def _send(self, hook: Record, notice: Record) -> Outcome:
        body, timestamp = body_of(notice), int(self.store.clock())
        headers = {
            "content-type": "application/json",
            "user-agent": "Quorate-Webhooks",
            "webhook-id": notice.message_id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": sign(secret_of(self.secret, hook.id, hook.secret), notice.message_id, timestamp, body),
        }
        return await post(hook.url, headers, body, seconds=self.seconds, allow_private=self.allow_private)


def body_of(notice: Record) -> bytes:
    """What is sent: the kind of notice, when it was written, and what it tells."""
    at = datetime.fromtimestamp(notice.created_at, UTC).isoformat().replace("+00:00", "Z")
    return orjson.dumps({"type": notice.kind, "timestamp": at, "data": notice.data})


def _tell_of_failure(task: asyncio.Task[int]) -> None:
    """What went wrong on our side: the notices were taken, and come due again."""
    error = task.exception()
    if error is not None:
        _logger.error("webhooks could not be served, and will be tried again", exc_info=error)
