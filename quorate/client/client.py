"""The client: all nouns of the service's API behind one connection."""

from types import TracebackType
from typing import Self

import httpx

from quorate.client.accounts import Accounts, Members
from quorate.client.classify import Online
from quorate.client.connection import Connection
from quorate.client.errors import ClientError
from quorate.client.exports import Exports
from quorate.client.items import Imports, Items
from quorate.client.panels import Doors
from quorate.client.projects import Projects
from quorate.client.session import Session, Tokens
from quorate.client.webhooks import Webhooks
from quorate.client.work import Work
from quorate.client.workers import Workers


class Client:
    """A typed client of the service. What it refuses is raised as `ClientError`, with the service's own words.

    url: such as http://127.0.0.1:8000. token: an API token, or that of a worker's link; without one, sign in by
    `session`. Requests are sent again only where the service can tell that they are the same.

        with quorate.Client("http://127.0.0.1:8000", token=token) as client:
            project = client.projects.create({"name": "cats", "questions": [{"classes": ["cat", "dog"]}]})
    """

    def __init__(self, url: str, token: str | None = None, *, timeout: float = 30.0, tries: int = 5) -> None:
        if not url.startswith(("http://", "https://")):
            raise ClientError(f"the address of a service starts with http:// or https://, got {url!r}")
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        # Without TLS no certificates are read, which takes longer than a request.
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
        self.doors = Doors(self.connection)
        self.exports = Exports(self.connection)
        self.workers = Workers(self.connection)
        self.work = Work(self.connection)
        self.online = Online(self.connection)
        self.webhooks = Webhooks(self.connection)

    def close(self) -> None:
        """End the connection."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
