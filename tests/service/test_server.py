import os
import signal
import socket
import sqlite3
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.service.running import Server, is_gone, quorate, running
from tests.service.waiting import PATIENCE, until

JOIN = "/api/session/join"


def learner_pid(server: Server, data: Path) -> int:
    until(lambda: not server.get("/readyz").json()["learner"]["late"], "a learner")
    with sqlite3.connect(data / "quorate.db") as connection:
        (pid,) = connection.execute("SELECT pid FROM heartbeats").fetchone()
    connection.close()
    return int(pid)


def test_the_server_starts_and_stops(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data) as server:
        assert server.get("/healthz").json() == {"status": "alive"}
        assert server.get("/readyz").json()["status"] == "ready"
        learner = learner_pid(server, data)
        assert server.end(signal.SIGTERM) == 0
        assert is_gone(learner)
    assert not (data / "quorate.db-wal").exists() or (data / "quorate.db-wal").stat().st_size == 0
    assert (data / "secret.key").stat().st_mode & 0o777 == 0o600
    assert data.stat().st_mode & 0o777 == 0o700


def test_the_first_start_prints_a_link_for_one_owner(tmp_path: Path) -> None:
    with running(tmp_path / "data", "--no-learner") as server:
        (line,) = [line for line in server.lines if "This service has no owner yet" in line]
        page, _, secret = line.split()[-1].partition("#")
        assert page.startswith(server.url)
        joined = join(server, secret, "ann")
        assert joined.is_success, joined.text
        again = join(server, secret, "bob")
        assert again.is_client_error
        server.end(signal.SIGTERM)
    with running(tmp_path / "data", "--no-learner") as server:
        assert not [line for line in server.lines if "has no owner" in line]


def join(server: Server, secret: str, name: str) -> httpx.Response:
    body = {"link": secret, "name": name, "password": "a long enough one"}
    return httpx.post(server.url + JOIN, json=body, timeout=PATIENCE)


def test_a_request_under_way_is_finished(tmp_path: Path) -> None:
    with running(tmp_path / "data", "--no-learner") as server:
        address = urlsplit(server.url)
        assert address.hostname is not None
        assert address.port is not None
        with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
            connection.sendall(
                b"POST /api/projects HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n"
            )
            assert connection.recv(1000).startswith(b"HTTP/1.1 100")  # the service has the head, and waits for the body
            server.process.send_signal(signal.SIGTERM)
            until(lambda: refuses(address.hostname or "", address.port or 0), "new connections refused")
            connection.sendall(b"{}")
            response = b"".join(iter(lambda: connection.recv(10_000), b""))  # head and body may arrive separately
        assert response.startswith(b"HTTP/1.1 4")
        assert b'"error"' in response
        assert server.process.wait(PATIENCE) == 0


def refuses(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=PATIENCE).close()
    except ConnectionRefusedError:
        return True
    return False


@pytest.mark.long
def test_a_killed_server_can_be_restarted(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data) as server:
        learner = learner_pid(server, data)
        assert server.end(signal.SIGKILL) == -signal.SIGKILL
        until(lambda: is_gone(learner), "the learner notices")
    with running(data) as server:
        until(lambda: learner_pid(server, data) != learner, "a new learner")
        assert server.end(signal.SIGTERM) == 0


@pytest.mark.long
def test_a_killed_learner_is_restarted(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data) as server:
        first = learner_pid(server, data)
        os.kill(first, signal.SIGKILL)
        until(lambda: learner_pid(server, data) != first, "a new learner")
        assert server.get("/healthz").status_code == 200


@pytest.mark.long
def test_a_second_server_is_refused_and_ctrl_c_ends_the_first(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, "--no-learner") as server:
        second = quorate("serve", "--data", str(data), "--port", "0", "--no-learner")
        assert second.returncode == 2
        assert second.stderr == (
            f"quorate: another quorate serve (pid {server.process.pid}) has this database: "
            "stop it, or use PostgreSQL for several\n"
        )
        assert server.end(signal.SIGINT) == 0


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        refused = quorate("serve", "--data", str(tmp_path / "data"), "--port", str(port), "--no-learner")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"quorate: cannot listen on 127.0.0.1:{port} (Address already in use)")


def test_several_processes_need_postgresql(tmp_path: Path) -> None:
    refused = quorate("serve", "--data", str(tmp_path / "data"), "--processes", "2")
    assert refused.returncode == 2
    assert "SQLite supports one process" in refused.stderr


def test_an_unreachable_database_is_reported_without_its_password(tmp_path: Path) -> None:
    url = "postgresql://me:hidden@127.0.0.1:1/none"
    refused = quorate("serve", "--data", str(tmp_path / "data"), url=url)
    assert refused.returncode == 2
    assert "cannot be reached" in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert "hidden" not in refused.stderr


def test_a_file_that_is_not_a_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "quorate.db").write_text("not a database " * 100)
    refused = quorate("serve", "--data", str(tmp_path / "data"))
    assert refused.returncode == 2
    assert "file is not a database" in refused.stderr


@pytest.mark.long
def test_several_processes_on_postgresql(tmp_path: Path, postgres_url: str) -> None:
    with running(tmp_path / "data", "--processes", "2", url=postgres_url) as server:
        until(lambda: responds(server), "a response")
        for _ in range(20):
            assert server.get("/healthz").status_code == 200
        page = server.get("/metrics").text
        assert 'quorate_requests_total{method="GET",route="/healthz",status="200"} 2' in page  # of all processes
        assert server.end(signal.SIGTERM) == 0


@pytest.mark.long
def test_processes_end_with_a_killed_server(tmp_path: Path, postgres_url: str) -> None:
    with running(tmp_path / "data", "--processes", "2", url=postgres_url) as server:
        until(lambda: responds(server), "a response")
        assert server.end(signal.SIGKILL) == -signal.SIGKILL
        address = urlsplit(server.url)
        until(lambda: refuses(address.hostname or "", address.port or 0), "its processes end")


def responds(server: Server) -> bool:
    try:
        return server.get("/healthz").status_code == 200
    except httpx.HTTPError:
        return False


def test_a_learner_waits_for_the_tables_of_the_server(tmp_path: Path, postgres_url: str) -> None:
    refused = quorate("learner", "--data", str(tmp_path / "data"), url=postgres_url)
    assert refused.returncode == 2
    assert "start `quorate serve`, which migrates them, and then the learner" in refused.stderr
    assert "Traceback" not in refused.stderr
