"""The files for a server: read by the programs that they are for."""

import re
import shutil
import socket
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from quorate.service.settings import Settings
from tests.service.running import PATIENCE, running
from tests.service.test_server import answers, until

FILES = Path(__file__).parents[2] / "docs" / "deploy"
DOCUMENT = FILES.parent / "operations.md"
needs_nginx = pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@contextmanager
def nginx(folder: Path, upstream: str) -> Iterator[str]:
    """The given nginx file, on free ports and with a certificate of its own; its address."""
    plain, secure = free_port(), free_port()
    certificate = ["-out", str(folder / "cert.pem"), "-keyout", str(folder / "key.pem")]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=votes.example.org"]
    subprocess.run([*make, *certificate], check=True, capture_output=True)
    site = (FILES / "nginx.conf").read_text()
    for old, new in (
        ("127.0.0.1:8000;\n    keepalive", f"{upstream};\n    keepalive"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{secure} ssl;"),
        ("/etc/letsencrypt/live/votes.example.org/fullchain.pem", str(folder / "cert.pem")),
        ("/etc/letsencrypt/live/votes.example.org/privkey.pem", str(folder / "key.pem")),
    ):
        assert site.count(old) == 1, old
        site = site.replace(old, new)
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{}} http {{ {temporary} {site} }}"
    (folder / "nginx.conf").write_text(whole)
    with subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]) as process:
        try:
            yield f"https://127.0.0.1:{secure}"
        finally:
            process.terminate()


@needs_nginx
def test_nginx_in_front_of_several_processes(tmp_path: Path, postgres_url: str) -> None:
    with running(tmp_path / "data", "--processes", "2", "--no-learner", url=postgres_url) as server:
        until(lambda: answers(server), "an answer")
        with (
            nginx(tmp_path, server.url.removeprefix("http://")) as address,
            httpx.Client(base_url=address, verify=False, timeout=PATIENCE) as client,
        ):
            until(lambda: reached(client), "nginx")
            assert client.get("/readyz").json()["status"] == "ready"
            assert client.get("/metrics").status_code == 404
            assert client.get("/api/projects").status_code == 401
            assert len(client.get("/healthz").headers.get_list("X-Request-ID")) == 1
        assert server.get("/metrics").status_code == 200
        through_a_proxy = httpx.get(server.url + "/metrics", headers={"X-Forwarded-For": "127.0.0.1"}, timeout=PATIENCE)
        assert through_a_proxy.status_code == 401


def reached(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx.TransportError:
        return False


def test_the_settings_file_is_valid() -> None:
    given = tomllib.loads((FILES / "quorate.toml").read_text())
    assert set(given) <= set(Settings.model_fields)
    Settings(**given)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
def test_the_unit_file_is_valid(tmp_path: Path) -> None:
    unit = (FILES / "quorate.service").read_text().replace("/opt/quorate/bin/quorate", shutil.which("true") or "")
    (tmp_path / "quorate.service").write_text(unit)
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "quorate.service")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "quorate.service" not in checked.stderr, checked.stderr


def test_every_setting_and_metric_is_documented() -> None:
    page = DOCUMENT.read_text()
    for name in Settings.model_fields:
        assert f"`QUORATE_{name.upper()}`" in page, name
    source = (FILES.parents[1] / "quorate" / "service" / "metrics.py").read_text()
    for name in set(re.findall(r'"(quorate_\w+)"', source)):
        assert f"`{name}" in page, name
