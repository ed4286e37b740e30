"""Rate limits: token buckets in the memory of this process, which stays bounded."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network

from quorate.service.errors import TooMany


@dataclass(eq=False, kw_only=True)
class RateLimit:
    """At most `burst` calls at once and `per_second` on average, for each of the `max_keys` keys used last."""

    per_second: float
    burst: int
    max_keys: int = 20_000
    clock: Callable[[], float] = time.monotonic
    _buckets: OrderedDict[Hashable, tuple[float, float]] = field(default_factory=OrderedDict)  # calls left, time
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, key: Hashable) -> None:
        """Count a call; raise TooMany where there were too many, with the time until the next one is allowed."""
        now = self.clock()
        with self._lock:
            left, updated_at = self._buckets.pop(key, (float(self.burst), now))
            left = min(self.burst, left + max(now - updated_at, 0.0) * self.per_second)
            is_refused = left < 1
            self._buckets[key] = (left if is_refused else left - 1, now)
            if len(self._buckets) > self.max_keys:
                self._buckets.popitem(last=False)
        if is_refused:
            wait = math.ceil((1 - left) / self.per_second)
            raise TooMany(f"too many calls: wait {wait} s, then try again", retry_after=wait)


@dataclass(eq=False)
class Limits:
    """The limits of one process. Password guessing is limited by name, by address, and by both."""

    clock: Callable[[], float] = time.monotonic
    calls_per_second: float = 1000.0  # changing calls of one session or token

    def __post_init__(self) -> None:
        self.calls = RateLimit(
            per_second=self.calls_per_second, burst=math.ceil(5 * self.calls_per_second), clock=self.clock
        )
        self._links = RateLimit(per_second=20.0, burst=1000, clock=self.clock)
        self._sign_ins_by_name_and_address = RateLimit(per_second=1 / 30, burst=10, clock=self.clock)
        self._sign_ins_by_name = RateLimit(per_second=1 / 10, burst=50, clock=self.clock)
        self._sign_ins_by_address = RateLimit(per_second=1 / 3, burst=50, clock=self.clock)

    def take_sign_in(self, name: str, address: str) -> None:
        """Count an attempt to sign in."""
        name, address = name.casefold()[:200], network_of(address)
        self._sign_ins_by_address.take(address)
        self._sign_ins_by_name_and_address.take((name, address))
        self._sign_ins_by_name.take(name)

    def take_link(self, address: str) -> None:
        """Count a link that is opened; many workers may share one address."""
        self._links.take(network_of(address))


def network_of(address: str) -> str:
    """Return the network that counts as one address: for IPv6, the /64 that one household gets.

    >>> network_of("2001:db8::1") == network_of("2001:db8::2"), network_of("192.0.2.1")
    (True, '192.0.2.1')
    """
    try:
        number = ip_address(address)
    except ValueError:
        return address
    return address if number.version == 4 else str(ip_network(f"{number}/64", strict=False))
