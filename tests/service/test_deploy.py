"""The files of deploy/ are what the service understands; where nginx and systemd are there, they read them too."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from quorate.service.app import routes
from quorate.service.config import PREFIX, Settings
from quorate.service.routes.http.body_limits import PREVIEW, SMALL, WORK, limit_of, limits_by_route
from quorate.service.routes.http.openapi import operations
from tests.test_docs import pages

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = ("quorate.service", "quorate-learner.service")


def environment() -> dict[str, str]:
    lines = (DEPLOY / "quorate.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_the_environment_file_has_settings_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    values = environment()
    assert {name.removeprefix(PREFIX).lower() for name in values} <= set(Settings.model_fields)
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    settings = Settings()
    assert (settings.processes, settings.log_format, settings.address) == (4, "json", "https://votes.example.org")
    assert ":" not in settings.database.removeprefix("postgresql://").partition("@")[0]  # no password


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_runs_an_existing_command(name: str) -> None:
    command, *options = re.findall(r"^ExecStart=/opt/quorate/bin/quorate (.*)$", (DEPLOY / name).read_text(), re.M)[
        0
    ].split()
    assert command in pages.command_names()
    assert all(f"`{option}`" in pages.command_page(command) for option in options)


def test_nginx_knows_the_addresses_of_the_service() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    openapi = routes().openapi()
    paths = {path for _, path, _ in operations(openapi)}
    for method, path in re.findall(r'"(POST|PUT) (/\S+)" +\$binary', text):
        assert path in paths
        assert method.lower() in openapi["paths"][path]
    shown = {path.replace("{what}.{form}", "votes.csv") for path in paths}
    passed = {path for path in shown if location_of(path)["proxy_buffering"] == "off"}
    assert passed == {path for path in shown if re.search(r"/exports/|pay\.csv|/stream$", path)}


def location_of(path: str) -> dict[str, str]:
    """Return the directives of nginx for a path of the API: those of its location, or the general ones."""
    text = (DEPLOY / "nginx.conf").read_text()
    locations = re.findall(r"^    location ~ (\S+) {\n(.*?)^    }", text, re.M | re.S)
    example = re.sub(r"{\w+}", "1", path)
    chosen = next((body for pattern, body in locations if re.search(pattern, example)), "")
    general = dict(re.findall(r"^    (client_max_body_size) (\S+);", text, re.M))
    return {"proxy_buffering": "on"} | general | dict(re.findall(r"^        (\w+) ([^;]+);", chosen, re.M))


@pytest.mark.parametrize("path", sorted({path for _, path, _ in operations(routes().openapi())}))
def test_nginx_passes_bodies_that_the_service_accepts(path: str) -> None:
    settings = Settings()
    table = limits_by_route(json_bytes=settings.max_json_bytes, upload_bytes=settings.max_upload_bytes)
    accepted = max(limit_of(table, method, path) for method in ("POST", "PUT"))
    size, unit = re.fullmatch(r"(\d+)([mg])", location_of(path)["client_max_body_size"]).groups()  # type: ignore[union-attr]
    passed = int(size) * 1024 ** {"m": 2, "g": 3}[unit]
    expected = {SMALL: WORK, PREVIEW: settings.max_upload_bytes}  # one size for small bodies, and one for files
    assert passed == expected.get(accepted, accepted)


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_accepts_its_file(tmp_path: Path) -> None:
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    text = (DEPLOY / "nginx.conf").read_text()
    text = text.replace("/etc/ssl/quorate", str(tmp_path)).replace("/var/log/nginx", str(tmp_path))
    (tmp_path / "quorate.conf").write_text(text)
    (tmp_path / "nginx.conf").write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{ include quorate.conf; }}\n")
    arguments = ["nginx", "-t", "-q", "-p", str(tmp_path), "-c", "nginx.conf", "-e", str(tmp_path / "error.log")]
    read = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_accepts_its_units(name: str, tmp_path: Path) -> None:
    for unit in UNITS:  # with a command that is there, wherever this runs
        text = (DEPLOY / unit).read_text().replace("/opt/quorate/bin/quorate", shutil.which("true") or "/bin/true")
        (tmp_path / unit).write_text(text)
    read = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / name)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )
    assert (read.returncode, read.stderr) == (0, "")
