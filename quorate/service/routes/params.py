"""What requests of people are made of: names, secrets, and the address that links lead to."""

from typing import Annotated

from fastapi import Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from quorate.service.routes.inputs import MOST


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must have printable characters only, in one line")
    return text


RowId = Annotated[int, Field(ge=1, le=MOST)]
Line = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), AfterValidator(_printable)
]
Sent = Annotated[str, Field(min_length=1, max_length=500)]  # a password or link, as somebody typed it


class Body(BaseModel):
    """A part of a request: unknown names are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def address_of(request: Request) -> str:
    """Where people reach the service: as the settings say, else as this request came."""
    known = request.app.state.settings.base_url
    return str(known or request.base_url).rstrip("/")


def caller_address(request: Request) -> str:
    """Where a request came from: uvicorn knows which proxies to believe."""
    return request.client.host if request.client else ""
