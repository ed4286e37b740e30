"""One try over TLS: the certificate must be that of the name, though a number is called."""

import asyncio
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from quorate.service.webhooks import posting
from quorate.service.webhooks.posting import Outcome, post
from tests.service.receiver import Receiver, receiving

MAKE = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test"


def certificate(folder: Path, name: str) -> Path:
    """A new certificate for a name, and its key beside it."""
    into = ["-keyout", "key.pem", "-out", "cert.pem", "-addext", f"subjectAltName=DNS:{name}"]
    subprocess.run([*MAKE.split(), *into], cwd=folder, check=True, capture_output=True)
    return folder / "cert.pem"


@pytest.fixture(params=["localhost", "example.org"])
def named(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A server at localhost with a trusted certificate, of that name or another."""
    path = certificate(tmp_path, request.param)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, tmp_path / "key.pem")
    monkeypatch.setattr(posting, "_certificates", lambda: ssl.create_default_context(cafile=str(path)))
    with receiving(context) as receiver:
        receiver.url = receiver.url.replace("http://127.0.0.1", "https://localhost")
        receiver.body = request.param.encode()
        yield receiver


def send(url: str) -> Outcome:
    return asyncio.run(post(url, {}, b"{}", seconds=60, allow_private=True))


def test_the_certificate_must_be_of_the_name(named: Receiver) -> None:
    outcome = send(named.url)
    if named.body == b"localhost":
        assert outcome.arrived
        assert named.calls[0][0]["host"] == named.url.split("/")[2]
    else:
        assert "certificate" in outcome.answer.lower()
        assert named.calls == []


def test_any_name_and_any_answer_is_told_in_one_line() -> None:
    for url in ("http://bücher.invalid/", "http://a..b/", "nonsense", "http://[::1/"):
        outcome = send(url)
        assert (outcome.arrived, bool(outcome.answer), "\n" in outcome.answer) == (False, True, False)
