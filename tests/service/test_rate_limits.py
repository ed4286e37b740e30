import pytest

from quorate.service.errors import TooMany
from quorate.service.rate_limits import Limits, RateLimit
from tests.service.conftest import Clock


def seconds_to_wait(limit: RateLimit, key: str) -> float:
    with pytest.raises(TooMany) as caught:
        limit.take(key)
    return caught.value.retry_after


def test_a_bucket_empties_and_refills(clock: Clock) -> None:
    limit = RateLimit(per_second=0.1, burst=2, clock=clock)
    limit.take("ann")
    limit.take("ann")
    assert seconds_to_wait(limit, "ann") == 10
    limit.take("ben")
    clock.now += 9
    assert seconds_to_wait(limit, "ann") == 1
    clock.now += 1
    limit.take("ann")
    clock.now += 1000
    limit.take("ann")
    limit.take("ann")
    assert seconds_to_wait(limit, "ann") == 10


def test_refused_calls_are_not_counted(clock: Clock) -> None:
    limit = RateLimit(per_second=0.1, burst=1, clock=clock)
    limit.take("ann")
    assert [seconds_to_wait(limit, "ann") for _ in range(3)] == [10, 10, 10]


def test_a_clock_that_goes_back_changes_nothing(clock: Clock) -> None:
    limit = RateLimit(per_second=1, burst=2, clock=clock)
    limit.take("ann")
    clock.now -= 100
    limit.take("ann")
    assert seconds_to_wait(limit, "ann") == 1


def test_memory_is_bounded(clock: Clock) -> None:
    limit = RateLimit(per_second=1, burst=1, max_keys=100, clock=clock)
    for key in range(1000):
        limit.take(key)
    assert len(limit._buckets) == 100


def test_one_address_cannot_lock_another_out(clock: Clock) -> None:
    limits = Limits(clock)
    for _ in range(10):
        limits.take_sign_in("ann", "192.0.2.1")
    with pytest.raises(TooMany):
        limits.take_sign_in("Ann", "192.0.2.1")
    limits.take_sign_in("ann", "192.0.2.2")


def test_many_names_from_one_address_are_too_many(clock: Clock) -> None:
    limits = Limits(clock)
    for number in range(50):
        limits.take_sign_in(f"name {number}", f"2001:db8::{number:x}")
    with pytest.raises(TooMany):
        limits.take_sign_in("another", "2001:db8::ffff")


def test_one_name_from_many_addresses_is_too_many(clock: Clock) -> None:
    limits = Limits(clock)
    for number in range(50):
        limits.take_sign_in("ann", f"192.0.2.{number}")
    with pytest.raises(TooMany):
        limits.take_sign_in("ann", "198.51.100.1")
