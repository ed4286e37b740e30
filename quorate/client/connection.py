"""Connection to the service: requests, JSON responses, one-line errors and safe retries."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import httpx

from quorate.client.errors import ClientError

NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)  # the service cannot have seen the request
BUSY = (429, 502, 503, 504)  # the service or a proxy is overloaded
FIRST_PAUSE = 0.2  # seconds, doubled with each try
MAX_PAUSE = 10.0
IDEMPOTENT = ("GET", "HEAD", "PUT", "DELETE")


@dataclass(frozen=True, eq=False, kw_only=True)
class Connection:
    """Connection to a service. tries: maximum number of attempts. pause: called to wait between them."""

    http: httpx.Client
    tries: int = 5
    pause: Callable[[float], None] = field(default=time.sleep)

    def get(self, path: str, parameters: Mapping[str, str | float | None] | None = None) -> Any:
        """Send a GET request, and return the response as JSON."""
        return self.send("GET", path, parameters=parameters)

    def post(self, path: str, json: Any = None, *, repeatable: bool = False) -> Any:
        """Send a POST request, and return the response as JSON.

        Args:
            path: path of the route.
            json: body of the request.
            repeatable: whether the service recognises a repeated request, so that it may be sent again.
        """
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
        """Send a request, and return the response as JSON; None if it is empty.

        Args:
            method: HTTP method.
            path: path of the resource.
            json: body of the request.
            file: name and content of a file to upload.
            fields: form fields, sent with the file.
            parameters: query parameters; those that are None are left out.
            repeatable: whether the service recognises a repeated request, so that it may be sent again.
        """
        query = {name: value for name, value in (parameters or {}).items() if value is not None}
        files = None if file is None else {"file": file}
        request = self.http.build_request(method, path, json=json, files=files, data=fields, params=query)
        response = self._send_with_retries(request, repeatable or method in IDEMPOTENT)
        if not response.content:
            return None
        try:
            return response.json()
        except ValueError:
            raise ClientError(
                f"{request.url} returned a response that is not JSON: is this the address of a Quorate service?",
                status=response.status_code,
            ) from None

    @contextmanager
    def stream(self, path: str) -> Iterator[Iterator[bytes]]:
        """Yield the response in chunks, for content that may be larger than memory."""
        try:
            with self.http.stream("GET", path) as response:
                if response.is_error:
                    response.read()
                    raise service_error(response)
                yield response.iter_bytes()
        except httpx.TransportError as error:
            raise _not_reached(self.http.base_url, error) from None

    def _send_with_retries(self, request: httpx.Request, repeatable: bool) -> httpx.Response:
        for left in reversed(range(self.tries)):
            wait = min(FIRST_PAUSE * 2 ** (self.tries - 1 - left), MAX_PAUSE)
            try:
                response = self.http.send(request)
            except httpx.TransportError as error:
                if not left or not (repeatable or isinstance(error, NOT_SENT)):
                    raise _not_reached(self.http.base_url, error) from None
            else:
                if not response.is_error:
                    return response
                error_of_service = service_error(response)
                if not left or response.status_code not in BUSY or not (repeatable or response.status_code == 429):
                    raise error_of_service
                wait = min(error_of_service.retry_after or wait, MAX_PAUSE)
            self.pause(wait)
        raise AssertionError("the last try returns or raises")


def service_error(response: httpx.Response) -> ClientError:
    """Return the error of a response as an exception with a one-line message."""
    try:
        body = response.json()
    except ValueError:
        body = {}
    body = body if isinstance(body, dict) else {}
    parts = [str(body[name]) for name in ("error", "hint") if body.get(name)]
    message = ": ".join(parts) or f"the service returned {response.status_code} {response.reason_phrase}"
    after, fields = response.headers.get("Retry-After", ""), body.get("fields")
    return ClientError(
        " ".join(message.split()),
        status=response.status_code,
        retry_after=float(after) if after.isdecimal() else None,
        fields=fields if isinstance(fields, dict) else None,
    )


def _not_reached(url: httpx.URL, error: httpx.TransportError) -> ClientError:
    return ClientError(f"the service at {url} cannot be reached ({error or type(error).__name__}): is it running?")
