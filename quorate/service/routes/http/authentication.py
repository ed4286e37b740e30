"""Who is calling: the bearer of a token, or a browser with a session cookie.

A handler takes `Caller` (or `CallerIfAny`). One that is called for every vote may instead call `identify` itself, which
saves a thread: in a transaction that only reads, since nobody unknown may hold the write lock.
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
VOTER_COOKIE = "quorate_voter"  # of its own, so that a requester who tries a worker's link stays signed in
VOTER_HEADER = "X-Voter"  # the voter's page says by it that it speaks for the voter
CSRF_HEADER = "X-CSRF-Token"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_bearer = HTTPBearer(auto_error=False, description="An API token or a session, as `Authorization: Bearer ...`.")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description=f"Of a browser; changes need {CSRF_HEADER} too.")


def identify_if_any(connection: Connection, request: Request) -> Principal | None:
    """Who sent this request; none where it says nothing about it. Wrong proof is an error, never nobody."""
    proofs, by_cookie = _proofs(request)
    if not proofs:
        return None
    now = request.app.state.store.clock()
    found = ((secret, credentials.find(connection, secret, now)) for secret in proofs)
    secret, who = next(((secret, who) for secret, who in found if who is not None), ("", None))
    if who is None:
        raise NotSignedIn("your session or token is unknown, ended or revoked: sign in again, or use another token")
    if request.method not in SAFE_METHODS:
        if by_cookie:
            _check_csrf(request, secret)
        request.app.state.limits.calls.take(who.credential_id)
    request.state.who, request.state.secret = who, secret  # for the log, and for what the page sends back
    return who


def identify(connection: Connection, request: Request) -> Principal:
    """Who sent this request."""
    who = identify_if_any(connection, request)
    if who is None:
        raise NotSignedIn("nobody is signed in: sign in, or send a token as `Authorization: Bearer ...`")
    return who


def csrf_value(key: bytes, session: str) -> str:
    """What a page must send back with each change, which another site cannot know."""
    return sign(key, "csrf", session)


def session_of(request: Request) -> str:
    """The session or token by which the caller was known."""
    secret: str = request.state.secret
    return secret


def set_session(request: Request, response: Response, session: str, cookie: str = COOKIE) -> None:
    """Give the browser its session: no script can read it, and other sites cannot send it with a change."""
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
    """Take the cookie back, where the session came by one."""
    for name in _cookie_names(request):
        if request.cookies.get(name) == session_of(request):
            response.delete_cookie(name, path="/", httponly=True, samesite="lax", secure=_is_https(request))


def _is_https(request: Request) -> bool:
    return base_url(request).startswith("https:")


def _proofs(request: Request) -> tuple[list[str], bool]:
    """What was sent as proof, likeliest first; whether by cookie. A header wins: a cookie comes along unasked."""
    header = request.headers.get("Authorization")
    if header is None:
        cookies = request.cookies
        return [cookies[name] for name in _cookie_names(request) if name in cookies], True
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise NotSignedIn("the header Authorization must be `Bearer` and a token, as in `Authorization: Bearer qt_...`")
    return [secret.strip()], False


def _cookie_names(request: Request) -> tuple[str, str]:
    """A browser may have two sessions: the page says which is meant; of images it cannot."""
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
SIGNED_IN = [Depends(_bearer), Depends(_cookie)]  # tells OpenAPI, for routes that call `identify` themselves

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
