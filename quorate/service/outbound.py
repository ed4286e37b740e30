"""Requests to other servers whose URL a user chose (webhooks, classifiers), never into the service's own network.

A host name is resolved once, its IP addresses are checked, and the request goes to the address that was checked: a
name that resolves to another address a moment later cannot redirect it.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from urllib.parse import SplitResult, urlsplit

import httpx

from quorate.service.errors import Invalid

MAX_URL_LENGTH = 2000
# Metadata services of virtual machines that the lists of `ipaddress` do not all count as private
_PRIVATE_NETWORKS = [ipaddress.ip_network("192.0.0.0/24"), ipaddress.ip_network("168.63.129.16/32")]
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_HINT = "give a public address, or let the service call its own network (allow_private_webhooks)"


@dataclass(frozen=True, slots=True)
class PostResponse:
    """The response of a server; `body` holds its first bytes only where `is_truncated`."""

    status: int
    headers: httpx.Headers
    body: bytes
    is_truncated: bool


async def post(
    url: str, body: bytes, headers: Mapping[str, str], *, seconds: float, max_bytes: int, allow_private: bool
) -> PostResponse:
    """Send a POST request and return the response. Redirects are not followed.

    Raises Invalid for a URL that must not be called, TimeoutError, and httpx.TransportError.

    Args:
        url: where to send it.
        body: the content, sent as it is.
        headers: sent in addition to `host` and `accept-encoding`.
        seconds: limit for everything, from resolving the host name to the last byte of the response.
        max_bytes: how much of the response body is read.
        allow_private: whether the URL may lead into the service's own network.
    """
    check_url(url, allow_private=allow_private)
    try:
        target = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise Invalid(f"{url[:100]!r} is not an address ({error}): give one such as https://example.org/hook") from None
    async with asyncio.timeout(seconds):
        return await _post(target, body, headers, max_bytes, allow_private)


async def _post(
    url: httpx.URL, body: bytes, headers: Mapping[str, str], max_bytes: int, allow_private: bool
) -> PostResponse:
    host, port = url.raw_host.decode(), url.port or (443 if url.scheme == "https" else 80)
    pinned = url.copy_with(host=await resolve(host, port, allow_private=allow_private))
    all_headers = {"host": url.netloc.decode(), "accept-encoding": "identity", **headers}
    # The certificate is checked against the host name, although the connection goes to an IP address. Each request has
    # its own client: a connection that was opened for one name must not serve another name at the same address.
    async with (
        httpx.AsyncClient(verify=_tls_context(), trust_env=False, timeout=None) as client,
        client.stream("POST", pinned, headers=all_headers, content=body, extensions={"sni_hostname": host}) as response,
    ):
        content = bytearray()
        async for chunk in response.aiter_raw():
            content += chunk
            if len(content) > max_bytes:
                break
        is_truncated = len(content) > max_bytes
        return PostResponse(response.status_code, response.headers, bytes(content[:max_bytes]), is_truncated)


def check_url(url: str, *, allow_private: bool) -> SplitResult:
    """Return the parts of a URL that may be called, as far as can be checked without resolving its host name."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise Invalid(f"{url!r} is not an address: give one such as https://example.org/hook") from None
    is_plain = len(url) <= MAX_URL_LENGTH and url.isprintable() and " " not in url
    if parts.scheme not in ("http", "https") or not host or not is_plain:
        raise Invalid(f"{url[:100]!r} is not an address: give one such as https://example.org/hook")
    if parts.username is not None or parts.password is not None:
        raise Invalid("an address must not contain a user name or password: the signature identifies the sender")
    if not allow_private and (host == "localhost" or host.endswith(".localhost") or _is_private_address(host)):
        raise Invalid(f"{host} leads into the service's own network: {_HINT}")
    return parts


def is_public(ip_address: str) -> bool:
    """Return whether an IP address belongs to the public internet, whichever way it is written.

    >>> [is_public(address) for address in ("93.184.215.14", "10.0.0.1", "::ffff:127.0.0.1", "169.254.169.254")]
    [True, False, False, False]
    """
    address = ipaddress.ip_address(ip_address.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        embedded = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            embedded = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if embedded is not None:
            return is_public(str(embedded))
    is_private = any(address in network for network in _PRIVATE_NETWORKS)
    return address.is_global and not address.is_multicast and not is_private


async def resolve(host: str, port: int, *, allow_private: bool) -> str:
    """Return the IP address to call for a host name; refuse it where any of its addresses is not public."""
    try:
        infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Invalid(f"the host name {host} cannot be resolved: check its spelling") from None
    addresses = [str(info[4][0]) for info in infos]
    private = [] if allow_private else [address for address in addresses if not is_public(address)]
    if private:
        raise Invalid(f"{host} leads into the service's own network ({private[0]}): {_HINT}")
    return addresses[0]


def _is_private_address(host: str) -> bool:
    try:
        return not is_public(host)
    except ValueError:  # a name
        return False


@cache
def _tls_context() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)
