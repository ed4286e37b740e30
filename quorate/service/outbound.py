"""Addresses of other servers that the service may be told to call: none that leads into its own network.

A name is looked up once, its numbers are checked, and the call goes to the number that was checked: a name that means
something else a moment later leads nowhere.
"""

import asyncio
import ipaddress
import socket
from urllib.parse import SplitResult, urlsplit

from quorate.service.errors import Invalid

LONGEST = 2000
_INNER = [  # not for the public, though Python's lists do not all say so: services for virtual machines, by number
    ipaddress.ip_network("192.0.0.0/24"),
    ipaddress.ip_network("168.63.129.16/32"),
]
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_HINT = "give a public address, or let the service call its own network (allow_private_webhooks)"


def check_url(url: str, *, allow_private: bool) -> SplitResult:
    """An address that can be called, as far as it can be told without looking its name up."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise Invalid(f"{url!r} is not an address: give one such as https://example.org/hook") from None
    if parts.scheme not in ("http", "https") or not host or len(url) > LONGEST or not url.isprintable() or " " in url:
        raise Invalid(f"{url[:100]!r} is not an address: give one such as https://example.org/hook")
    if parts.username is not None or parts.password is not None:
        raise Invalid("an address must not hold a name or password: the signature says who is calling")
    if not allow_private and (host == "localhost" or host.endswith(".localhost") or _is_inner_number(host)):
        raise Invalid(f"{host} leads into the service's own network: {_HINT}")
    return parts


def is_public(number: str) -> bool:
    """Whether an IP address belongs to the public internet, whichever way it is written.

    >>> [is_public(number) for number in ("93.184.215.14", "10.0.0.1", "::ffff:127.0.0.1", "169.254.169.254")]
    [True, False, False, False]
    """
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        within = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            within = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if within is not None:
            return is_public(str(within))
    return address.is_global and not address.is_multicast and not any(address in inner for inner in _INNER)


async def look_up(host: str, port: int, *, allow_private: bool) -> str:
    """The number to call for a name; refused where any of its numbers is not public."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Invalid(f"the name {host} is not known") from None
    numbers = [str(one[4][0]) for one in found]
    inner = [] if allow_private else [number for number in numbers if not is_public(number)]
    if inner:
        raise Invalid(f"{host} leads into the service's own network ({inner[0]}): {_HINT}")
    return numbers[0]


def _is_inner_number(host: str) -> bool:
    try:
        return not is_public(host)
    except ValueError:  # a name
        return False
