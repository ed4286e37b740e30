"""One try to bring one message to its address."""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import httpx

from quorate.service.errors import Invalid
from quorate.service.outbound import look_up

LONGEST_ANSWER = 1024  # bytes of an answer that are looked at


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a try."""

    arrived: bool
    answer: str  # the status and the start of the answer, or why there was none
    gone: bool = False  # the receiver wants no more, ever
    retry_after: float | None = None  # seconds, where the receiver asked for patience


async def post(url: str, headers: Mapping[str, str], body: bytes, *, seconds: float, allow_private: bool) -> Outcome:
    """Send, and wait for the answer; all of it within so many seconds. Redirects are not followed."""
    try:
        async with asyncio.timeout(seconds):
            return await _post(httpx.URL(url), headers, body, allow_private)
    except TimeoutError:
        return Outcome(False, f"no answer within {seconds:g} s")
    except Invalid as error:
        return Outcome(False, str(error))
    except Exception as error:  # whatever a stranger's server can make go wrong is a try that failed, and no more
        return Outcome(False, _clean(f"{type(error).__name__}: {error}"))


async def _post(url: httpx.URL, headers: Mapping[str, str], body: bytes, allow_private: bool) -> Outcome:
    name, port = url.raw_host.decode(), url.port or (443 if url.scheme == "https" else 80)
    number = await look_up(name, port, allow_private=allow_private)
    # The certificate is checked against the name, though it is the number that is called. A client of its own per try:
    # a connection that was opened for one name must not serve another name at the same number.
    sent = {"host": url.netloc.decode(), "accept-encoding": "identity", **headers}
    called, named = url.copy_with(host=number), {"sni_hostname": name}
    async with (
        httpx.AsyncClient(verify=_certificates(), trust_env=False, timeout=None) as client,
        client.stream("POST", called, headers=sent, content=body, extensions=named) as response,
    ):
        start = b""
        async for chunk in response.aiter_raw():
            start += chunk
            if len(start) >= LONGEST_ANSWER:
                break
        return _outcome(response, start[:LONGEST_ANSWER])


def _outcome(response: httpx.Response, start: bytes) -> Outcome:
    text = _clean(start.decode(errors="replace"))
    answer = f"{response.status_code} {text}".rstrip()
    return Outcome(response.is_success, answer, response.status_code == httpx.codes.GONE, _retry_after(response))


def _retry_after(response: httpx.Response) -> float | None:
    given = response.headers.get("retry-after", "")
    return float(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


def _clean(text: str) -> str:
    """Text that any database takes and any page shows."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:LONGEST_ANSWER].strip()


@cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)
