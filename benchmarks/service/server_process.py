"""A server in its own process: started on loopback, used over HTTP, with its CPU seconds, and stopped."""

import http.client
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

HOST = "127.0.0.1"
TICKS = os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as bound:
        bound.bind((HOST, 0))
        return int(bound.getsockname()[1])


@dataclass
class JsonConnection:
    """A persistent connection for JSON. It is lightweight, since client and server share the cores."""

    port: int
    headers: dict[str, str] = field(default_factory=dict)
    timeout: float = 60.0

    def __post_init__(self) -> None:
        self._connection = http.client.HTTPConnection(HOST, self.port, timeout=self.timeout)

    def request(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Return status and content, which is text unless it is JSON; a broken connection is opened again."""
        data = None if body is None else json.dumps(body).encode()
        headers = self.headers | ({"Content-Type": "application/json"} if data else {})
        try:
            self._connection.request(method, path, data, headers)
            response = self._connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise
        is_json = "json" in (response.getheader("Content-Type") or "")
        return response.status, json.loads(text) if is_json else text.decode(errors="replace")

    def request_ok(self, method: str, path: str, body: Any = None) -> Any:
        """Return the content of a response, whose status must be below 400."""
        status, content = self.request(method, path, body)
        if status >= 400:
            raise SystemExit(f"{method} {path} returned status {status}: {str(content)[:400]}")
        return content

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class Server:
    """A running server and the processes that it started."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def cpu(self) -> float:
        """Return the CPU seconds of the process and its children, running or not."""
        return cpu_seconds(self.process.pid)

    def wait(self, path: str, *, seconds: float) -> float:
        """Wait until the server responds; return how long that took."""
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            if self.process.poll() is not None:
                raise SystemExit(f"the server stopped while starting:\n{self.log.read_text()[-2000:]}")
            try:
                with JsonConnection(self.port, timeout=5.0) as connection:
                    if connection.request("GET", path)[0] == 200:
                        return time.perf_counter() - begin
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)
        raise SystemExit(
            f"the server did not respond to {path} within {seconds:.0f} s:\n{self.log.read_text()[-2000:]}"
        )

    def kill(self) -> None:
        """Kill the whole process group, as kill -9 does."""
        _signal(self.process, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Terminate the server, and kill it if it does not stop."""
        _signal(self.process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=15)
        self.kill()


def start(command: Sequence[str], port: int, log: Path, environment: Mapping[str, str] | None = None) -> Server:
    """Start a server in its own process group, with its output in a file."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=os.environ | dict(environment or {}),
            cwd=log.parent,
            start_new_session=True,
        )
    return Server(process, port, log)


@contextmanager
def run_server(
    command: Sequence[str], port: int, log: Path, *, health: str, environment: Mapping[str, str], seconds: float
) -> Iterator[Server]:
    """Run a server, and yield it when it responds."""
    server = start(command, port, log, environment)
    try:
        server.wait(health, seconds=seconds)
        yield server
    finally:
        server.stop()


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and its descendants; the resolution is 10 ms, so measure many requests."""
    stats = _stats()
    family = {pid}
    while new := {child for child, fields in stats.items() if int(fields[1]) in family} - family:
        family |= new
    # Fields 11 to 14 are the ticks of the process and of its children that ended.
    return sum(sum(map(int, stats[member][11:15])) for member in family if member in stats) / TICKS


def children(pid: int) -> list[int]:
    """Return the children of a process, the oldest first."""
    return sorted(child for child, fields in _stats().items() if int(fields[1]) == pid)


def _stats() -> dict[int, list[str]]:
    """Return the fields of /proc/PID/stat of every process, from the state on."""
    stats = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # the process ended meanwhile
                stats[int(entry.name)] = (entry / "stat").read_text().rpartition(")")[2].split()
    return stats


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
