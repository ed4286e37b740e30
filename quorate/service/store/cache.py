"""A cache of values read from a database: bounded, and safe to use from many threads."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Owner = TypeVar("Owner")
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Owner, Key, Value]):
    """The `limit` values used last, for each owner: a database engine, or a connection.

    Owners are held weakly: their values go with them. No value may be None.
    """

    def __init__(self, limit: int) -> None:
        if limit < 1:
            raise ValueError(f"a cache must hold at least 1 value, got {limit}")
        self.limit = limit
        self._lock = threading.Lock()
        self._values: WeakKeyDictionary[Owner, OrderedDict[Key, Value]] = WeakKeyDictionary()

    def get(self, owner: Owner, key: Key) -> Value | None:
        """Return the value of a key, which then counts as the one used last; None where there is none."""
        with self._lock:
            return self._find(owner, key)

    def put(self, owner: Owner, key: Key, value: Value) -> None:
        """Keep a value, in place of any that the key had."""
        with self._lock:
            self._keep(owner, key, value)

    def get_or_load(self, owner: Owner, key: Key, load: Callable[[], Value]) -> Value:
        """Return the value of a key, loaded first where there is none."""
        cached = self.get(owner, key)
        if cached is not None:
            return cached
        # Loaded without the lock, since it may wait for a database: threads may load the same value twice.
        loaded = load()
        with self._lock:
            first = self._find(owner, key)
            if first is None:
                self._keep(owner, key, loaded)
        return loaded if first is None else first

    def count(self, owner: Owner) -> int:
        """Return the number of values of an owner."""
        with self._lock:
            return len(self._values.get(owner, ()))

    @property
    def n_owners(self) -> int:
        """The number of owners that have values."""
        return len(self._values)

    def _find(self, owner: Owner, key: Key) -> Value | None:
        values = self._values.get(owner)
        if values is None or key not in values:
            return None
        values.move_to_end(key)
        return values[key]

    def _keep(self, owner: Owner, key: Key, value: Value) -> None:
        values = self._values.setdefault(owner, OrderedDict())
        values[key] = value
        values.move_to_end(key)
        while len(values) > self.limit:
            values.popitem(last=False)
