"""One connection to the service: requests with a token, answers as JSON, errors as one line, and careful retries."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import httpx

from quorate.client.errors import ClientError

NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)  # the service cannot have seen the request
BUSY = (429, 502, 503, 504)  # the service, or what stands before it, has no time now
FIRST_PAUSE = 0.2  # seconds, doubled with each try
LONGEST_PAUSE = 10.0
SAME_AGAIN = ("GET", "HEAD", "PUT", "DELETE")  # a second time changes nothing


@dataclass(frozen=True, eq=False, kw_only=True)
class Connection:
    """Requests to one service. `tries`: how often at most; `pause` waits between tries."""

    http: httpx.Client
    tries: int = 5
    pause: Callable[[float], None] = field(default=time.sleep)

    def get(self, path: str, parameters: Mapping[str, str | float | None] | None = None) -> Any:
        """Ask for something."""
        return self.send("GET", path, parameters=parameters)

    def post(self, path: str, json: Any = None, *, repeatable: bool = False) -> Any:
        """Send something; `repeatable` where the service tells a second one from the first."""
        return self.send("POST", path, json=json, repeatable=repeatable)

    def send(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        file: tuple[str, BinaryIO] | None = None,
        fields: Mapping[str, str] | None = None,
        parameters: Mapping[str, str | float | None] | None = None,
        repeatable: bool = False,
    ) -> Any:
        """The answer to a request, as JSON; None where it is empty. file: its name and content, sent with fields."""
        asked = {name: value for name, value in (parameters or {}).items() if value is not None}
        files = None if file is None else {"file": file}
        request = self.http.build_request(method, path, json=json, files=files, data=fields, params=asked)
        answer = self._answer(request, repeatable or method in SAME_AGAIN)
        if not answer.content:
            return None
        try:
            return answer.json()
        except ValueError:
            raise ClientError(
                f"{request.url} answered with something that is not JSON: is this the address of a Quorate service?",
                status=answer.status_code,
            ) from None

    @contextmanager
    def stream(self, path: str) -> Iterator[Iterator[bytes]]:
        """The answer in pieces, for what may be larger than memory."""
        try:
            with self.http.stream("GET", path) as answer:
                if answer.is_error:
                    answer.read()
                    raise refusal(answer)
                yield answer.iter_bytes()
        except httpx.TransportError as error:
            raise _not_reached(self.http.base_url, error) from None

    def _answer(self, request: httpx.Request, repeatable: bool) -> httpx.Response:
        for left in reversed(range(self.tries)):
            wait = min(FIRST_PAUSE * 2 ** (self.tries - 1 - left), LONGEST_PAUSE)
            try:
                answer = self.http.send(request)
            except httpx.TransportError as error:
                if not left or not (repeatable or isinstance(error, NOT_SENT)):
                    raise _not_reached(self.http.base_url, error) from None
            else:
                if not answer.is_error:
                    return answer
                error_of_service = refusal(answer)
                if not left or answer.status_code not in BUSY or not (repeatable or answer.status_code == 429):
                    raise error_of_service
                wait = min(error_of_service.retry_after or wait, LONGEST_PAUSE)
            self.pause(wait)
        raise AssertionError("the last try returns or raises")


def refusal(answer: httpx.Response) -> ClientError:
    """What the service says is wrong, in one line."""
    try:
        said = answer.json()
    except ValueError:
        said = {}
    said = said if isinstance(said, dict) else {}
    words = [str(said[name]) for name in ("error", "hint") if said.get(name)]
    message = ": ".join(words) or f"the service answered {answer.status_code} {answer.reason_phrase}"
    after = answer.headers.get("Retry-After", "")
    return ClientError(
        " ".join(message.split()), status=answer.status_code, retry_after=float(after) if after.isdecimal() else None
    )


def _not_reached(url: httpx.URL, error: httpx.TransportError) -> ClientError:
    return ClientError(f"the service at {url} was not reached ({error or type(error).__name__}): is it running?")
