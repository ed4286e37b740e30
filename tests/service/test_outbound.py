import asyncio

import pytest

from quorate.service.errors import Invalid
from quorate.service.outbound import check_url, is_public, look_up


@pytest.mark.parametrize(
    "number",
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
def test_inner_numbers_are_not_public(number: str) -> None:
    assert not is_public(number)


@pytest.mark.parametrize("number", ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_outer_numbers_are_public(number: str) -> None:
    assert is_public(number)


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
def test_addresses_that_cannot_be_called_are_refused(url: str) -> None:
    with pytest.raises(Invalid):
        check_url(url, allow_private=False)


def test_its_own_network_may_be_allowed() -> None:
    assert check_url("http://127.0.0.1:8000/a", allow_private=True).port == 8000
    assert asyncio.run(look_up("127.0.0.1", 80, allow_private=True)) == "127.0.0.1"


def test_a_name_is_refused_by_the_numbers_it_stands_for() -> None:
    with pytest.raises(Invalid, match="own network"):
        asyncio.run(look_up("localhost", 80, allow_private=False))
    with pytest.raises(Invalid, match="not known"):
        asyncio.run(look_up("a" * 70 + ".invalid", 80, allow_private=False))
