"""Signatures of Standard Webhooks: HMAC-SHA256 of `id.timestamp.body`, with a secret that the receiver has too.

No secret is stored: that of a webhook is derived from the service's key, the id of the webhook and a stored nonce.
"""

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"


def new_nonce() -> str:
    """Return a random nonce, which makes the secret of a new webhook unique."""
    return secrets.token_urlsafe(24)


def secret_of(service_secret: bytes, webhook_id: int, nonce: str) -> str:
    """Return the secret of a webhook, as it is given to its receiver: 32 bytes in base64.

    >>> secret_of(b"key", 1, "nonce")
    'whsec_xTFZINMTFJ6ym9SiMEZmNUS7pkrTGBfcl9a5Vz4Z+cY='
    """
    derived = hmac.digest(service_secret, f"webhook:{webhook_id}:{nonce}".encode(), hashlib.sha256)
    return PREFIX + base64.b64encode(derived).decode()


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message.

    >>> sign(
    ...     "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ...     "msg_p5jXN8AQM9LWM0D4loKWxJek",
    ...     1614265330,
    ...     b'{"test": 2432232314}',
    ... )
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.digest(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(signed).decode()}"
