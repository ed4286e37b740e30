"""Passwords, stored as argon2id hashes. Slow on purpose: call these outside of a transaction."""

import threading
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from quorate.service.errors import Invalid

MIN_LENGTH, MAX_LENGTH = 10, 200
_hasher = PasswordHasher()
_slots = threading.BoundedSemaphore(2)  # each takes 64 MB: many at once must not take all memory


def hash_password(password: str) -> str:
    """Return the hash of a password."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise Invalid(
            f"a password must have {MIN_LENGTH} to {MAX_LENGTH} characters, got {len(password)}: choose another"
        )
    with _slots:
        return _hasher.hash(_bytes(password))


def is_password(password: str, password_hash: str | None) -> bool:
    """Return whether a password has this hash. Without a hash it takes as long, so that names cannot be guessed."""
    try:
        with _slots:
            matches = _hasher.verify(password_hash or _hash_of_nobody(), _bytes(password[: MAX_LENGTH + 1]))
    except (VerificationError, InvalidHashError):
        return False
    return matches and password_hash is not None


def _bytes(password: str) -> bytes:
    return password.encode(errors="surrogatepass")


@cache
def _hash_of_nobody() -> str:
    return _hasher.hash("the password of nobody")
