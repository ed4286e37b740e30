"""An attempt over TLS: the certificate must be that of the host name, although the request goes to an IP address."""

import asyncio
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from quorate.service import outbound
from quorate.service.webhooks.outbox import DeliveryOutcome
from quorate.service.webhooks.sender import attempt
from tests.service.receiver import Receiver, receiving

MAKE = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test"


def certificate(folder: Path, name: str) -> Path:
    """Write a new certificate for a host name and its key to a folder; return the certificate."""
    options = ["-keyout", "key.pem", "-out", "cert.pem", "-addext", f"subjectAltName=DNS:{name}"]
    subprocess.run([*MAKE.split(), *options], cwd=folder, check=True, capture_output=True)
    return folder / "cert.pem"


@pytest.fixture(params=["localhost", "example.org"])
def tls_receiver(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """Yield a server at localhost with a trusted certificate, for that name or another."""
    path = certificate(tmp_path, request.param)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, tmp_path / "key.pem")
    monkeypatch.setattr(outbound, "_tls_context", lambda: ssl.create_default_context(cafile=str(path)))
    with receiving(context) as receiver:
        receiver.url = receiver.url.replace("http://127.0.0.1", "https://localhost")
        receiver.body = request.param.encode()
        yield receiver


def send(url: str) -> DeliveryOutcome:
    return asyncio.run(attempt(url, b"{}", {}, seconds=60, allow_private=True))


def test_the_certificate_must_match_the_host_name(tls_receiver: Receiver) -> None:
    outcome = send(tls_receiver.url)
    if tls_receiver.body == b"localhost":
        assert outcome.delivered
        assert tls_receiver.calls[0][0]["host"] == tls_receiver.url.split("/")[2]
    else:
        assert "certificate" in outcome.answer.lower()
        assert tls_receiver.calls == []


def test_any_failure_is_reported_in_one_line() -> None:
    for url in ("http://bücher.invalid/", "http://a..b/", "nonsense", "http://[::1/"):
        outcome = send(url)
        assert (outcome.delivered, bool(outcome.answer), "\n" in outcome.answer) == (False, True, False)
