"""Sending of deliveries, in a thread with its own event loop.

Webhooks are served independently: one that is slow or dead does not delay the others.
"""

import asyncio
import logging
import random
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import httpx
import orjson
from sqlalchemy.exc import SQLAlchemyError

from quorate.service.errors import Invalid
from quorate.service.outbound import PostResponse, post
from quorate.service.store.database import Record, Store
from quorate.service.webhooks.outbox import DeliveryOutcome, due_webhooks, settle, take
from quorate.service.webhooks.signature import secret_of, sign

POLL_SECONDS = 0.5
BATCH = 16  # deliveries of one webhook that are sent concurrently
MAX_WEBHOOKS = 32  # served at the same time by one process
GRACE_SECONDS = 3.0  # for attempts under way when the service stops
MAX_ANSWER_BYTES = 1024  # of a response that are read and stored
_logger = logging.getLogger(__name__)


class Sender:
    """A thread that sends deliveries when they are due.

    Args:
        store: the database.
        secret: the secret key of the service.
        allow_private: whether webhooks may lie in the service's own network.
        seconds: how long a receiver may take to respond.
    """

    def __init__(self, store: Store, secret: bytes, *, allow_private: bool = False, seconds: float = 15.0) -> None:
        self.store = store
        self.secret = secret
        self.allow_private = allow_private
        self.seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)

    def start(self) -> None:
        """Start sending in the background."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the attempts under way; those that do not end in time are made again later."""
        self._stop.set()
        self._thread.join()

    async def send_due(self) -> int:
        """Send what is due now, once, and return the number of attempts."""
        attempts = [self._serve(webhook_id) for webhook_id in await asyncio.to_thread(self._due)]
        return sum(await asyncio.gather(*attempts))

    def _run(self) -> None:
        asyncio.run(self._send_until_stopped())

    async def _send_until_stopped(self) -> None:
        running: dict[int, asyncio.Task[int]] = {}  # by webhook
        while not self._stop.is_set():
            for webhook_id in await self._due_or_none():
                if webhook_id not in running and len(running) < MAX_WEBHOOKS:
                    running[webhook_id] = asyncio.create_task(self._serve(webhook_id))
            if running:
                await asyncio.wait(running.values(), timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.to_thread(self._stop.wait, POLL_SECONDS)
            for webhook_id in [webhook_id for webhook_id, task in running.items() if task.done()]:
                _log_failure(webhook_id, running.pop(webhook_id))
        if running:
            await asyncio.wait(running.values(), timeout=GRACE_SECONDS)

    async def _due_or_none(self) -> list[int]:
        """Return the webhooks that are due; none while the database is down, which must not end the thread."""
        try:
            return await asyncio.to_thread(self._due)
        except SQLAlchemyError:
            _logger.exception("webhooks: the database cannot be reached; retrying")
            return []

    def _due(self) -> list[int]:
        with self.store.read() as connection:
            webhook_ids = due_webhooks(connection, self.store.clock())
        random.shuffle(webhook_ids)
        return webhook_ids

    async def _serve(self, webhook_id: int) -> int:
        webhook, batch = await asyncio.to_thread(self._take, webhook_id)
        if webhook is None:
            return 0
        outcomes = await asyncio.gather(*(self._send(webhook, delivery) for delivery in batch))
        await asyncio.to_thread(self._settle, list(zip(batch, outcomes, strict=True)))
        return len(batch)

    def _take(self, webhook_id: int) -> tuple[Record | None, Sequence[Record]]:
        with self.store.write() as connection:
            return take(connection, webhook_id, self.store.clock(), BATCH)

    def _settle(self, attempts: list[tuple[Record, DeliveryOutcome]]) -> None:
        with self.store.write() as connection:
            for delivery, outcome in attempts:
                settle(connection, delivery, outcome, self.store.clock())

    async def _send(self, webhook: Record, delivery: Record) -> DeliveryOutcome:
        body, timestamp = body_of(delivery), int(self.store.clock())
        secret = secret_of(self.secret, webhook.id, webhook.secret)
        headers = {
            "content-type": "application/json",
            "user-agent": "Quorate-Webhooks",
            "webhook-id": delivery.message_id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": sign(secret, delivery.message_id, timestamp, body),
        }
        return await attempt(webhook.url, body, headers, seconds=self.seconds, allow_private=self.allow_private)


def body_of(delivery: Record) -> bytes:
    """Return the message to send: the kind of event, when it happened, and its data."""
    at = datetime.fromtimestamp(delivery.created_at, UTC).isoformat().replace("+00:00", "Z")
    return orjson.dumps({"type": delivery.kind, "timestamp": at, "data": delivery.data})


async def attempt(
    url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, allow_private: bool
) -> DeliveryOutcome:
    """Send a message once and return the outcome; whatever goes wrong is a failed attempt, never an exception."""
    try:
        response = await post(
            url, body, headers, seconds=seconds, max_bytes=MAX_ANSWER_BYTES, allow_private=allow_private
        )
    except TimeoutError:
        return DeliveryOutcome(False, f"no answer within {seconds:g} s")
    except Invalid as error:
        return DeliveryOutcome(False, str(error))
    except Exception as error:  # anything that a foreign server can cause
        return DeliveryOutcome(False, _printable(f"{type(error).__name__}: {error}"))
    return _outcome(response)


def _outcome(response: PostResponse) -> DeliveryOutcome:
    answer = f"{response.status} {_printable(response.body.decode(errors='replace'))}".rstrip()
    is_success = 200 <= response.status < 300
    return DeliveryOutcome(is_success, answer, response.status == httpx.codes.GONE, _retry_after(response))


def _retry_after(response: PostResponse) -> float | None:
    seconds = response.headers.get("retry-after", "")
    return float(seconds) if seconds.isascii() and seconds.isdigit() and len(seconds) < 10 else None


def _printable(text: str) -> str:
    """Return text that every database can store and every page can show."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:MAX_ANSWER_BYTES].strip()


def _log_failure(webhook_id: int, task: asyncio.Task[int]) -> None:
    """Write an error on our side to the log: the deliveries were taken, and are due again later."""
    error = task.exception()
    if error is not None:
        _logger.error("webhook %d: deliveries failed; retrying later", webhook_id, exc_info=error)
