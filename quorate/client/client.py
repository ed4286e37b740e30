"""Client of the service: all resources of its API behind one connection."""

from types import TracebackType
from typing import Self

import httpx

from quorate.client.accounts import Accounts, Members
from quorate.client.classify import Online
from quorate.client.connection import Connection
from quorate.client.errors import ClientError
from quorate.client.exports import Exports
from quorate.client.items import Imports, Items
from quorate.client.panels import Panels
from quorate.client.projects import Projects
from quorate.client.session import Session, Tokens
from quorate.client.webhooks import Webhooks
from quorate.client.work import Work
from quorate.client.workers import Workers
from quorate.registry.deprecation import warn_renamed


class Client:
    """A typed client of the service. Errors of the service are raised as `ClientError`, with its message.

    Requests are repeated only if the service can recognise the repetition.

    Args:
        url: address of the service, such as http://127.0.0.1:8000.
        token: an API token, or that of a worker's link; without a token, sign in with `session`.
        timeout: seconds to wait for a response.
        tries: maximum number of attempts per request.

        with quorate.Client("http://127.0.0.1:8000", token=token) as client:
            project = client.projects.create({"name": "cats", "questions": [{"classes": ["cat", "dog"]}]})
    """

    def __init__(self, url: str, token: str | None = None, *, timeout: float = 30.0, tries: int = 5) -> None:
        if not url.startswith(("http://", "https://")):
            raise ClientError(f"url must start with http:// or https://, got {url!r}")
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        # Reading the certificates takes longer than a request; plain HTTP does not need them.
        verify = url.startswith("https://")
        self._http = httpx.Client(base_url=url.rstrip("/"), headers=headers, timeout=timeout, verify=verify)
        self.connection = Connection(http=self._http, tries=tries)
        self.url = url.rstrip("/")
        self.session = Session(self.connection)
        self.tokens = Tokens(self.connection)
        self.accounts = Accounts(self.connection)
        self.projects = Projects(self.connection)
        self.members = Members(self.connection)
        self.items = Items(self.connection)
        self.imports = Imports(self.connection)
        self.panels = Panels(self.connection)
        self.exports = Exports(self.connection)
        self.workers = Workers(self.connection)
        self.work = Work(self.connection)
        self.online = Online(self.connection)
        self.webhooks = Webhooks(self.connection)

    @property
    def doors(self) -> Panels:
        """The former name of `panels`, which will be removed."""
        warn_renamed("the attribute 'doors'", "panels", since="0.2")
        return self.panels

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
