"""Parameters and bodies of requests: ids, names, secrets, and the store behind a request."""

import re
from typing import Annotated

from fastapi import Depends, Path, Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from quorate.service.errors import Invalid
from quorate.service.store.database import Store

MAX_ID = 2**62  # greater than any id of a row, and within the integers of a database
NUL_IN_JSON = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def _check_printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must have printable characters only, in one line")
    return text


async def _store(request: Request) -> Store:  # FastAPI would call a plain function in a thread, for every vote
    store: Store = request.app.state.store
    return store


StoreOf = Annotated[Store, Depends(_store)]
Id = Annotated[int, Path(ge=1, le=MAX_ID)]
ProjectId = Annotated[int, Path(ge=1, le=MAX_ID, description="Id of the project.", examples=[1])]
RowId = Annotated[int, Field(ge=1, le=MAX_ID)]
Line = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), AfterValidator(_check_printable)
]
Secret = Annotated[str, Field(min_length=1, max_length=500)]  # a password or link, as somebody typed it


class Body(BaseModel):
    """Body of a request, or a part of it. Unknown names are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


async def refuse_nul(request: Request) -> None:
    """Refuse a request with NUL in its URL or JSON: PostgreSQL cannot store it.

    Bodies that a handler reads in chunks, such as uploads, are not checked here.
    """
    body: bytes = getattr(request, "_body", b"")  # set if FastAPI has read it already
    in_body = b"\0" in body or (b"\\u0000" in body and NUL_IN_JSON.search(body))  # a plain NUL byte also in UTF-16
    if in_body or "\0" in request.scope["path"] or b"%00" in request.scope["query_string"]:
        raise Invalid("there is a NUL character (\\u0000) in this request, which no text may hold: leave it out")


def base_url(request: Request) -> str:
    """Return the public URL of the service: that of the settings, otherwise that of this request."""
    return str(request.app.state.settings.base_url or request.base_url).rstrip("/")


def client_address(request: Request) -> str:
    """Return the address that a request came from; uvicorn knows which proxies to trust."""
    return request.client.host if request.client else ""
