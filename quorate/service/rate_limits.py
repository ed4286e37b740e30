"""How fast somebody may call: buckets that refill, in the memory of this process, which stays bounded."""

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
    """At most `burst` calls at once, and `per_second` in the long run, for each of the `most` keys seen last."""

    per_second: float
    burst: int
    most: int = 20_000
    clock: Callable[[], float] = time.monotonic
    _buckets: OrderedDict[Hashable, tuple[float, float]] = field(default_factory=OrderedDict)  # calls left, and when
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def take(self, key: Hashable) -> None:
        """Count a call; TooMany where there were too many, with the time until the next is taken."""
        now = self.clock()
        with self._turn:
            left, then = self._buckets.pop(key, (float(self.burst), now))
            left = min(self.burst, left + max(now - then, 0.0) * self.per_second)
            refused = left < 1
            self._buckets[key] = (left if refused else left - 1, now)
            if len(self._buckets) > self.most:
                self._buckets.popitem(last=False)
        if refused:
            wait = math.ceil((1 - left) / self.per_second)
            raise TooMany(f"too many calls: wait {wait} s, then try again", retry_after=wait)


@dataclass(eq=False)
class Limits:
    """The limits of one process. Guessing passwords is slowed by name, by address, and by both."""

    clock: Callable[[], float] = time.monotonic
    calls_per_second: float = 1000.0  # that change something, by one session or token

    def __post_init__(self) -> None:
        self.calls = RateLimit(
            per_second=self.calls_per_second, burst=math.ceil(5 * self.calls_per_second), clock=self.clock
        )
        self._links = RateLimit(per_second=20.0, burst=1000, clock=self.clock)
        self._both = RateLimit(per_second=1 / 30, burst=10, clock=self.clock)
        self._name = RateLimit(per_second=1 / 10, burst=50, clock=self.clock)
        self._address = RateLimit(per_second=1 / 3, burst=50, clock=self.clock)

    def take_sign_in(self, name: str, address: str) -> None:
        """Count a try to sign in."""
        name, address = name.casefold()[:200], network_of(address)
        self._address.take(address)
        self._both.take((name, address))
        self._name.take(name)

    def take_link(self, address: str) -> None:
        """Count a link that is opened; a whole panel may come from one address."""
        self._links.take(network_of(address))


def network_of(address: str) -> str:
    """Who counts as one address: of IPv6, the whole /64 that one household gets.

    >>> network_of("2001:db8::1") == network_of("2001:db8::2"), network_of("192.0.2.1")
    (True, '192.0.2.1')
    """
    try:
        number = ip_address(address)
    except ValueError:
        return address
    return address if number.version == 4 else str(ip_network(f"{number}/64", strict=False))
