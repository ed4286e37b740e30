import asyncio
import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import insert, select

from quorate.service.store.database import Store
from quorate.service.store.tables import deliveries, events, projects, webhooks
from quorate.service.webhooks import registry
from quorate.service.webhooks.events import announce
from quorate.service.webhooks.outbox import JITTER, WAITS
from quorate.service.webhooks.sender import Sender
from quorate.service.webhooks.signature import secret_of
from tests.service.conftest import Clock
from tests.service.receiver import Receiver, receiving
from tests.service.waiting import PATIENCE

SECRET = b"the service's own secret key, 32 bytes"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def sender(store: Store) -> Sender:
    return Sender(store, SECRET, allow_private=True)


def add_webhook(store: Store, url: str) -> tuple[int, int]:
    """Add a project and a webhook, and return their ids."""
    row = {"name": "p", "state": "running", "settings": {}, "created_at": 0.0}
    with store.write() as connection:
        project = connection.execute(insert(projects).values(row).returning(projects.c.id)).scalar_one()
        return project, registry.add(connection, project, url, ["item.decided"], "nonce", "me", 0.0)


def announce_decided(store: Store, project: int, *keys: str) -> None:
    with store.write() as connection:
        for key in keys:
            announce(connection, project, "item.decided", {"key": key}, store.clock())


def state_of(store: Store, webhook: int) -> str:
    with store.read() as connection:
        return connection.execute(select(webhooks.c.state).where(webhooks.c.id == webhook)).scalar_one()


def stored_deliveries(store: Store) -> list[tuple[int, float | None, str | None, bool]]:
    with store.read() as connection:
        rows = connection.execute(select(deliveries).order_by(deliveries.c.id)).all()
    return [(row.tries, row.due_at, row.answer, row.delivered_at is not None) for row in rows]


def send(sender: Sender) -> int:
    return asyncio.run(sender.send_due())


def test_a_delivery_is_signed_and_not_sent_again(
    store: Store, sender: Sender, receiver: Receiver, clock: Clock
) -> None:
    project, webhook = add_webhook(store, receiver.url)
    announce_decided(store, project, "a")
    assert send(sender) == 1
    headers, _ = receiver.calls[0]
    assert receiver.messages == [{"type": "item.decided", "timestamp": "2027-01-15T08:00:00Z", "data": {"key": "a"}}]
    assert receiver.is_signed(0, secret_of(SECRET, webhook, "nonce"))
    assert not receiver.is_signed(0, secret_of(SECRET, webhook + 1, "nonce"))
    assert headers["webhook-timestamp"] == "1800000000"
    assert headers["content-type"] == "application/json"
    assert stored_deliveries(store) == [(1, None, "204", True)]
    clock.now += 1e6
    assert send(sender) == 0


def test_a_failed_attempt_is_repeated_with_growing_waits_the_same_id_and_a_new_signature(
    store: Store, sender: Sender, receiver: Receiver, clock: Clock
) -> None:
    project, webhook = add_webhook(store, receiver.url)
    receiver.statuses, receiver.body = [500, 301, 404], b"not\x00 now"
    receiver.headers = {"location": receiver.url}
    announce_decided(store, project, "a")
    for attempt, status in enumerate((500, 301, 404)):
        assert send(sender) == 1
        (tries, due, answer, delivered) = stored_deliveries(store)[0]
        assert (tries, answer, delivered) == (attempt + 1, f"{status} not  now", False)
        assert due is not None
        assert WAITS[attempt] <= due - clock.now <= WAITS[attempt] * (1 + JITTER)
        assert send(sender) == 0, "sent before its time"
        clock.now = due
    assert send(sender) == 1
    assert len(receiver.calls) == 4  # the redirect was not followed
    assert len({headers["webhook-id"] for headers, _ in receiver.calls}) == 1
    assert len({headers["webhook-timestamp"] for headers, _ in receiver.calls}) == 4
    assert all(receiver.is_signed(call, secret_of(SECRET, webhook, "nonce")) for call in range(4))
    assert stored_deliveries(store)[0][1:] == (None, "204", True)


def test_retry_after_is_respected(store: Store, sender: Sender, receiver: Receiver, clock: Clock) -> None:
    project, _ = add_webhook(store, receiver.url)
    receiver.statuses, receiver.headers = [503], {"retry-after": "900"}
    announce_decided(store, project, "a")
    send(sender)
    assert stored_deliveries(store)[0][1] == clock.now + 900


def test_gone_turns_a_webhook_off(store: Store, sender: Sender, receiver: Receiver, clock: Clock) -> None:
    project, webhook = add_webhook(store, receiver.url)
    receiver.statuses = [410]
    announce_decided(store, project, "a")
    send(sender)
    assert state_of(store, webhook) == "off"
    assert stored_deliveries(store) == [(1, None, "410", False)]
    announce_decided(store, project, "b")
    clock.now += 1e6
    assert send(sender) == 0
    with store.read() as connection:
        assert "webhook.off" in connection.execute(select(events.c.kind)).scalars().all()


def fail_to_the_end(store: Store, sender: Sender, receiver: Receiver, clock: Clock) -> None:
    """Let every attempt of the first delivery fail."""
    receiver.statuses = [500] * (len(WAITS) + 1)
    while (due := stored_deliveries(store)[0][1]) is not None:
        clock.now = max(clock.now, due)
        assert send(sender) == 1


def test_a_webhook_is_turned_off_where_nothing_was_delivered_in_all_attempts(
    store: Store, sender: Sender, receiver: Receiver, clock: Clock
) -> None:
    project, webhook = add_webhook(store, receiver.url)
    announce_decided(store, project, "a")
    start = clock.now
    fail_to_the_end(store, sender, receiver, clock)
    assert stored_deliveries(store) == [(len(WAITS) + 1, None, "500", False)]
    assert 75 * 3600 <= clock.now - start <= 1.2 * 76 * 3600
    assert state_of(store, webhook) == "off"
    with store.write() as connection:
        registry.set_state(connection, project, webhook, "active", "me", clock.now)
        registry.redeliver(connection, project, webhook, 1, clock.now)
    assert send(sender) == 1
    assert stored_deliveries(store) == [(1, None, "204", True)]


def test_a_webhook_with_another_delivery_stays_on(
    store: Store, sender: Sender, receiver: Receiver, clock: Clock
) -> None:
    project, webhook = add_webhook(store, receiver.url)
    receiver.statuses = [500]
    announce_decided(store, project, "a")
    send(sender)
    announce_decided(store, project, "b")
    send(sender)
    fail_to_the_end(store, sender, receiver, clock)
    assert [delivered for *_, delivered in stored_deliveries(store)] == [False, True]
    assert state_of(store, webhook) == "active"


def test_no_response_in_time_is_a_failed_attempt(store: Store, receiver: Receiver) -> None:
    project, _ = add_webhook(store, receiver.url)
    announce_decided(store, project, "a")
    ended = threading.Event()
    receiver.hold = ended.wait
    impatient = Sender(store, SECRET, allow_private=True, seconds=0.2)
    send(impatient)
    ended.set()
    assert stored_deliveries(store)[0][2:] == ("no answer within 0.2 s", False)


def test_a_refused_connection_is_a_failed_attempt(store: Store, sender: Sender) -> None:
    with receiving() as gone:
        project, _ = add_webhook(store, gone.url)
    announce_decided(store, project, "a")
    send(sender)
    assert "ConnectError" in (stored_deliveries(store)[0][2] or "")


def test_the_first_kilobyte_of_a_response_is_stored(store: Store, sender: Sender, receiver: Receiver) -> None:
    project, _ = add_webhook(store, receiver.url)
    receiver.statuses, receiver.body = [200], b"x" * 100_000
    announce_decided(store, project, "a")
    send(sender)
    assert stored_deliveries(store)[0][2] == "200 " + "x" * 1024


def test_the_private_network_is_not_called(store: Store, receiver: Receiver) -> None:
    project, _ = add_webhook(store, receiver.url)
    announce_decided(store, project, "a")
    assert send(Sender(store, SECRET)) == 1
    assert receiver.calls == []
    assert "127.0.0.1 leads into the service's own network" in (stored_deliveries(store)[0][2] or "")


def test_each_delivery_is_sent_by_one_process(store: Store, receiver: Receiver) -> None:
    project, _ = add_webhook(store, receiver.url)
    announce_decided(store, project, *(str(key) for key in range(50)))
    senders = [Sender(store, SECRET, allow_private=True) for _ in range(4)]

    def work(sender: Sender) -> None:
        while send(sender):
            pass

    threads = [threading.Thread(target=work, args=(sender,)) for sender in senders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {answer for _, _, answer, _ in stored_deliveries(store)} == {"204"}
    assert sorted(message["data"]["key"] for message in receiver.messages) == sorted(str(key) for key in range(50))


def test_deliveries_of_a_process_that_died_are_due_again(
    store: Store, sender: Sender, receiver: Receiver, clock: Clock
) -> None:
    project, webhook = add_webhook(store, receiver.url)
    announce_decided(store, project, "a")
    sender._take(webhook)
    assert send(sender) == 0
    clock.now += 60
    assert send(sender) == 1
    assert stored_deliveries(store)[0] == (2, None, "204", True)


def test_a_slow_receiver_does_not_delay_others(store: Store, receiver: Receiver) -> None:
    with receiving() as slow:
        ended, came = threading.Event(), threading.Event()
        slow.hold, receiver.hold = ended.wait, came.set
        project, _ = add_webhook(store, slow.url)
        other, _ = add_webhook(store, receiver.url)
        announce_decided(store, project, "a")
        sender = Sender(store, SECRET, allow_private=True)
        sender.start()
        announce_decided(store, other, "b")
        assert came.wait(PATIENCE)
        ended.set()
        sender.stop()
    assert [delivered for *_, delivered in stored_deliveries(store)] == [True, True]
