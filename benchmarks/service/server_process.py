"""A server as a process of its own: started on loopback, asked over HTTP, its CPU seconds read, and stopped."""

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
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        return int(taken.getsockname()[1])


@dataclass
class Talk:
    """One connection that is kept open: JSON there and back. As light as can be, since it shares the cores."""

    port: int
    headers: dict[str, str] = field(default_factory=dict)
    timeout: float = 60.0

    def __post_init__(self) -> None:
        self._connection = http.client.HTTPConnection(HOST, self.port, timeout=self.timeout)

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and answer; the answer is text where it is no JSON. A connection that broke is opened anew."""
        sent = None if body is None else json.dumps(body).encode()
        headers = self.headers | ({"Content-Type": "application/json"} if sent else {})
        try:
            self._connection.request(method, path, sent, headers)
            answer = self._connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise
        is_json = "json" in (answer.getheader("Content-Type") or "")
        return answer.status, json.loads(text) if is_json else text.decode(errors="replace")

    def must(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a request that has to succeed."""
        status, answer = self.ask(method, path, body)
        if status >= 400:
            raise SystemExit(f"{method} {path} answered {status}: {str(answer)[:400]}")
        return answer

    def close(self) -> None:
        """Hang up."""
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
        """CPU seconds of the process, its children that live, and those that ended."""
        return cpu_seconds(self.process.pid)

    def wait(self, path: str, *, seconds: float) -> float:
        """Wait until it answers; how long that took."""
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            if self.process.poll() is not None:
                raise SystemExit(f"the server ended at its start:\n{self.log.read_text()[-2000:]}")
            try:
                with Talk(self.port, timeout=5.0) as talk:
                    if talk.ask("GET", path)[0] == 200:
                        return time.perf_counter() - begin
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)
        raise SystemExit(f"the server did not answer {path} within {seconds:.0f} s:\n{self.log.read_text()[-2000:]}")

    def kill(self) -> None:
        """End the whole group at once, as kill -9 does."""
        _signal(self.process, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Ask it to end, and end it where it does not."""
        _signal(self.process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=15)
        self.kill()


def start(command: Sequence[str], port: int, log: Path, environment: Mapping[str, str] | None = None) -> Server:
    """Start a server in a process group of its own; what it says goes to a file."""
    with log.open("ab") as said:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env=os.environ | dict(environment or {}),
            cwd=log.parent,
            start_new_session=True,
        )
    return Server(process, port, log)


@contextmanager
def running(
    command: Sequence[str], port: int, log: Path, *, health: str, environment: Mapping[str, str], seconds: float
) -> Iterator[Server]:
    """A server that answers, stopped at the end."""
    server = start(command, port, log, environment)
    try:
        server.wait(health, seconds=seconds)
        yield server
    finally:
        server.stop()


def cpu_seconds(pid: int) -> float:
    """CPU seconds of a process and of all that descends from it; 10 ms fine, so measure many requests."""
    stats = _stats()
    family = {pid}
    while new := {child for child, fields in stats.items() if int(fields[1]) in family} - family:
        family |= new
    # Its own, and its children's that ended.
    return sum(sum(map(int, stats[one][11:15])) for one in family if one in stats) / TICKS


def children(pid: int) -> list[int]:
    """The processes that a process started, first one first."""
    return sorted(child for child, fields in _stats().items() if int(fields[1]) == pid)


def _stats() -> dict[int, list[str]]:
    """What the kernel tells of every process, from its state on."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # it ended meanwhile
                found[int(entry.name)] = (entry / "stat").read_text().rpartition(")")[2].split()
    return found


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
