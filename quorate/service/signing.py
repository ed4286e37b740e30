"""Signatures by the service's secret key (HMAC-SHA256), one purpose apart from another."""

import base64
import hashlib
import hmac
import json


def sign(secret: bytes, purpose: str, *parts: str) -> str:
    """The signature of some text for one purpose, fit for an address.

    >>> sign(b"key", "link", "a", "bc") == sign(b"key", "link", "ab", "c")
    False
    """
    message = json.dumps([purpose, *parts]).encode()  # as JSON, the borders between parts are signed too
    digest = hmac.new(secret, message, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def is_signed(signature: str, secret: bytes, purpose: str, *parts: str) -> bool:
    """Whether a signature is right, in a time that does not tell how much of it is."""
    return hmac.compare_digest(signature.encode(errors="surrogatepass"), sign(secret, purpose, *parts).encode())
