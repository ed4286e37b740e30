"""Authentication of callers, by a bearer token or a session cookie.

A handler takes `Caller` (or `CallerIfAny`). One that is called for every vote may call `identify` itself, which saves a
thread: in a transaction that only reads, since unknown callers must not hold the write lock.
"""

import hmac
from typing import Annotated

from fastapi import Depends, Request, Response
from fastapi.security import APIKeyCookie, HTTPBearer
from sqlalchemy import Connection

from quorate.service.accounts import credentials
from quorate.service.accounts.permissions import Principal
from quorate.service.errors import NotSignedIn, Refused
from quorate.service.routes.http.params import base_url
from quorate.service.signing import sign

COOKIE = "quorate_session"
VOTER_COOKIE = "quorate_voter"  # separate, so that a requester who tries a worker's link stays signed in
VOTER_HEADER = "X-Voter"  # sent by the voter's page, so that the session of the voter is used
CSRF_HEADER = "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_bearer = HTTPBearer(auto_error=False, description="An API token or a session, as `Authorization: Bearer ...`.")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description=f"For browsers; changes also need {CSRF_HEADER}.")


def identify_if_any(connection: Connection, request: Request) -> Principal | None:
    """Return the caller; None without credentials. Wrong credentials are an error."""
    secrets, by_cookie = _secrets(request)
    if not secrets:
        return None
    now = request.app.state.store.clock()
    principals = ((secret, credentials.find(connection, secret, now)) for secret in secrets)
    secret, who = next(((secret, who) for secret, who in principals if who is not None), ("", None))
    if who is None:
        raise NotSignedIn("your session or token is unknown, ended or revoked: sign in again, or use another token")
    if request.method not in SAFE_METHODS:
        if by_cookie:
            _check_csrf(request, secret)
        request.app.state.limits.calls.take(who.credential_id)
    request.state.who, request.state.secret = who, secret  # for the log and the CSRF token
    return who


def identify(connection: Connection, request: Request) -> Principal:
    """Return the caller."""
    who = identify_if_any(connection, request)
    if who is None:
        raise NotSignedIn("nobody is signed in: sign in, or send a token as `Authorization: Bearer ...`")
    return who


def csrf_value(key: bytes, session: str) -> str:
    """Return the CSRF token of a session, which other sites cannot know."""
    return sign(key, "csrf", session)


def session_of(request: Request) -> str:
    """Return the session or token that identified the caller."""
    secret: str = request.state.secret
    return secret


def set_session(request: Request, response: Response, session: str, cookie: str = COOKIE) -> None:
    """Set the session cookie: no script can read it, and other sites cannot send it with a change."""
    response.set_cookie(
        cookie,
        session,
        max_age=int(credentials.SESSION_SECONDS),
        path="/",
        httponly=True,
        samesite="lax",
        secure=_is_https(request),
    )


def forget_session(request: Request, response: Response) -> None:
    """Delete the cookie, if the session came in one."""
    for name in _cookie_names(request):
        if request.cookies.get(name) == session_of(request):
            response.delete_cookie(name, path="/", httponly=True, samesite="lax", secure=_is_https(request))


def _is_https(request: Request) -> bool:
    return base_url(request).startswith("https:")


def _secrets(request: Request) -> tuple[list[str], bool]:
    """Return the credentials, and whether they are cookies. A header comes first: browsers send cookies unasked."""
    header = request.headers.get("Authorization")
    if header is None:
        cookies = request.cookies
        return [cookies[name] for name in _cookie_names(request) if name in cookies], True
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise NotSignedIn("the header Authorization must be `Bearer` and a token, as in `Authorization: Bearer qt_...`")
    return [secret.strip()], False


def _cookie_names(request: Request) -> tuple[str, str]:
    """Return the names of both cookies, the one of the page that calls first; images cannot say which page."""
    return (VOTER_COOKIE, COOKIE) if VOTER_HEADER in request.headers else (COOKIE, VOTER_COOKIE)


def _check_csrf(request: Request, session: str) -> None:
    sent = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(sent.encode(), csrf_value(request.app.state.secret, session).encode()):
        raise Refused(f"the header {CSRF_HEADER} is missing or wrong: send the `csrf` that GET /api/session gives")


def _caller_if_any(request: Request) -> Principal | None:
    with request.app.state.store.read() as connection:
        return identify_if_any(connection, request)


def _caller(
    request: Request, _: Annotated[object, Depends(_bearer)], __: Annotated[object, Depends(_cookie)]
) -> Principal:
    with request.app.state.store.read() as connection:
        return identify(connection, request)


Caller = Annotated[Principal, Depends(_caller)]
CallerIfAny = Annotated[Principal | None, Depends(_caller_if_any)]
SIGNED_IN = [Depends(_bearer), Depends(_cookie)]  # for the OpenAPI schema of routes that call `identify` themselves

__all__ = [
    "COOKIE",
    "CSRF_HEADER",
    "SIGNED_IN",
    "VOTER_COOKIE",
    "VOTER_HEADER",
    "Caller",
    "CallerIfAny",
    "Principal",
    "csrf_value",
    "forget_session",
    "identify",
    "identify_if_any",
    "session_of",
    "set_session",
]
