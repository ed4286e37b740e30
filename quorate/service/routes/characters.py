"""The one character that no text may hold: NUL, which PostgreSQL refuses, and which hides the rest of a line."""

import re

from fastapi import Request

from quorate.service.errors import Invalid

NUL_IN_JSON = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


async def refuse_nul(request: Request) -> None:
    """Refuse a request with NUL in its address or JSON; bodies that are read as they come are not looked at."""
    body: bytes = getattr(request, "_body", b"")  # where FastAPI has read it already
    in_body = b"\0" in body or (b"\\u0000" in body and NUL_IN_JSON.search(body))  # the former also where it is UTF-16
    if in_body or "\0" in request.scope["path"] or b"%00" in request.scope["query_string"]:
        raise Invalid("there is a NUL character (\\u0000) in this request, which no text may hold: leave it out")
