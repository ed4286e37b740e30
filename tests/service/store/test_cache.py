import gc
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from quorate.service.store.cache import BoundedCache

THREADS, CALLS, KEYS, LIMIT = 8, 300, 20, 4


class Owner:
    """The owner of cached values, such as a database engine."""


class Key(int):
    """A key that lets another thread run whenever it is hashed."""

    def __hash__(self) -> int:
        time.sleep(0)
        return int(self)


def test_many_threads_find_the_right_values_within_the_bound() -> None:
    cache, owner, together = BoundedCache[Owner, Key, str](LIMIT), Owner(), threading.Barrier(THREADS)

    def load(key: Key) -> str:
        return f"value {key}"

    def call(seed: int) -> int:
        rng, most = random.Random(seed), 0
        together.wait()
        for key in map(Key, rng.choices(range(KEYS), k=CALLS)):
            assert cache.get_or_load(owner, key, partial(load, key)) == load(key)
            assert cache.get(owner, key) in (None, load(key))  # another thread may have displaced it
            cache.put(owner, key, load(key))
            most = max(most, cache.count(owner))
        return most

    with ThreadPoolExecutor(THREADS) as pool:
        assert max(pool.map(call, range(THREADS))) == LIMIT


def test_the_values_used_last_are_kept() -> None:
    cache, owner = BoundedCache[Owner, str, int](2), Owner()
    cache.put(owner, "a", 1)
    cache.put(owner, "b", 2)
    assert cache.get(owner, "a") == 1  # used again, so b is the oldest
    cache.put(owner, "c", 3)
    assert [cache.get(owner, key) for key in "abc"] == [1, None, 3]
    cache.put(owner, "a", 4)
    cache.put(owner, "d", 5)
    assert [cache.get(owner, key) for key in "acd"] == [4, None, 5]


def test_a_value_is_loaded_once() -> None:
    cache, owner, loaded = BoundedCache[Owner, str, int](2), Owner(), []

    def load() -> int:
        loaded.append("a")
        return len(loaded)

    assert [cache.get_or_load(owner, "a", load) for _ in range(3)] == [1, 1, 1]


def test_concurrent_loads_return_the_first_value() -> None:
    cache, owner = BoundedCache[Owner, str, str](2), Owner()

    def load_slowly() -> str:
        cache.get_or_load(owner, "a", lambda: "first")  # as another thread would, meanwhile
        return "second"

    assert cache.get_or_load(owner, "a", load_slowly) == "first"
    assert cache.get(owner, "a") == "first"


def test_a_value_that_cannot_be_loaded_is_not_kept() -> None:
    cache, owner = BoundedCache[Owner, str, float](2), Owner()
    with pytest.raises(ZeroDivisionError):
        cache.get_or_load(owner, "a", lambda: 1 / 0)
    assert cache.count(owner) == 0


def test_values_belong_to_one_owner_and_are_dropped_with_it() -> None:
    cache, first, second = BoundedCache[Owner, str, Owner](1), Owner(), Owner()
    cache.put(first, "a", Owner())
    assert cache.get(second, "a") is None
    cache.put(second, "a", Owner())
    assert (cache.count(first), cache.count(second), cache.n_owners) == (1, 1, 2)
    del first
    gc.collect()
    assert cache.n_owners == 1


def test_a_cache_holds_at_least_one_value() -> None:
    with pytest.raises(ValueError, match="a cache must hold at least 1 value, got 0"):
        BoundedCache[Owner, str, int](0)
