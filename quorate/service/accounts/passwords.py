"""Passwords, kept as argon2id hashes. Slow on purpose: call these outside of a transaction."""

import threading
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from quorate.service.errors import Invalid

SHORTEST, LONGEST = 10, 200
_hasher = PasswordHasher()
_turns = threading.BoundedSemaphore(2)  # each takes 64 MB: many at once must not take all memory


def hash_password(password: str) -> str:
    """What is kept of a password."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Invalid(f"a password must have {SHORTEST} to {LONGEST} characters, got {len(password)}: choose another")
    with _turns:
        return _hasher.hash(_bytes(password))


def password_fits(password: str, kept: str | None) -> bool:
    """Whether it is the password. Where there is none, it takes as long to say no, so that names cannot be guessed."""
    kept_or_not = kept or _nobodys()
    try:
        with _turns:
            fits = _hasher.verify(kept_or_not, _bytes(password[: LONGEST + 1]))
    except (VerificationError, InvalidHashError):
        return False
    return fits and kept is not None


def _bytes(password: str) -> bytes:
    return password.encode(errors="surrogatepass")


@cache
def _nobodys() -> str:
    return _hasher.hash("the password of nobody")
