"""Signatures of Standard Webhooks: HMAC-SHA256 of `id.timestamp.body`, by a secret that the receiver knows too.

Nothing secret is stored: a webhook's secret follows from the service's own, the webhook's id and a stored nonce.
"""

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"


def new_nonce() -> str:
    """What makes the secret of a new webhook differ from every other."""
    return secrets.token_urlsafe(24)


def secret_of(service_secret: bytes, webhook_id: int, nonce: str) -> str:
    """The secret of a webhook, as its receiver is told it: 32 bytes.

    >>> secret_of(b"key", 1, "nonce")
    'whsec_xTFZINMTFJ6ym9SiMEZmNUS7pkrTGBfcl9a5Vz4Z+cY='
    """
    derived = hmac.digest(service_secret, f"webhook:{webhook_id}:{nonce}".encode(), hashlib.sha256)
    return PREFIX + base64.b64encode(derived).decode()


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """The signature of one try to send a message.

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
