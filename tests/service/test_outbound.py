import asyncio

import pytest

from quorate.service.errors import Invalid
from quorate.service.outbound import check_url, is_public, post, resolve
from tests.service.receiver import receiving


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "168.63.129.16",
        "192.0.0.192",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fd00:ec2::254",
        "ff02::1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ],
)
def test_private_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "ftp://example.org",
        "https://",
        "https://example.org:99999/",
        "https://[::1",
        "https://exa mple.org",
        "https://example.org/\n",
        "https://me:word@example.org",
        "https://example.org/" + "a" * 2000,
        "http://localhost/",
        "http://a.localhost/",
        "http://127.0.0.1/",
        "http://[::1]/",
    ],
)
def test_urls_that_cannot_be_called_are_refused(url: str) -> None:
    with pytest.raises(Invalid):
        check_url(url, allow_private=False)


def test_the_private_network_may_be_allowed() -> None:
    assert check_url("http://127.0.0.1:8000/a", allow_private=True).port == 8000
    assert asyncio.run(resolve("127.0.0.1", 80, allow_private=True)) == "127.0.0.1"


def test_a_host_name_is_refused_by_the_addresses_it_resolves_to() -> None:
    with pytest.raises(Invalid, match="own network"):
        asyncio.run(resolve("localhost", 80, allow_private=False))
    with pytest.raises(Invalid, match="cannot be resolved"):
        asyncio.run(resolve("a" * 70 + ".invalid", 80, allow_private=False))


def test_a_response_is_cut_at_the_limit() -> None:
    with receiving() as receiver:
        receiver.statuses, receiver.body = [200, 200], b"0123456789"
        short, whole = (
            asyncio.run(post(receiver.url, b"{}", {}, seconds=60, max_bytes=limit, allow_private=True))
            for limit in (9, 10)
        )
    assert (short.body, short.is_truncated) == (b"012345678", True)
    assert (whole.status, whole.body, whole.is_truncated) == (200, b"0123456789", False)


@pytest.mark.parametrize("url", ["http://localhost:1/", "http://127.0.0.1:1/", "http://a..b/", "http://[::1", "x"])
def test_a_post_checks_its_url_first(url: str) -> None:
    with pytest.raises(Invalid):
        asyncio.run(post(url, b"{}", {}, seconds=60, max_bytes=10, allow_private=False))
