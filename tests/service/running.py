"""A real `quorate serve`, as a user starts it."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.service.waiting import PATIENCE


@dataclass
class Server:
    """A running server: its process, its address, and the lines that it printed."""

    process: subprocess.Popen[str]
    url: str = ""
    lines: list[str] = field(default_factory=list)

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, timeout=PATIENCE)

    def end(self, number: int) -> int:
        """Send a signal, and wait for the exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def quorate(*arguments: str, url: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        _command(arguments), capture_output=True, text=True, timeout=PATIENCE, check=False, env=_environment(url)
    )


@contextmanager
def running(data: Path, *options: str, url: str | None = None) -> Iterator[Server]:
    """Start a server on a free port, wait until it answers, and yield it; kill it at the end if it still runs."""
    command = _command(("serve", "--data", str(data), "--port", "0", *options))
    with (data.parent / "stderr.txt").open("a") as stderr:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True, env=_environment(url))
    server = Server(process)
    try:
        _read_until_it_serves(server)
        yield server
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def is_gone(pid: int) -> bool:
    """Return whether a process has ended, even if nobody has read its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def _read_until_it_serves(server: Server) -> None:
    guard = threading.Timer(PATIENCE, server.process.kill)
    guard.start()
    assert server.process.stdout is not None
    for line in server.process.stdout:
        server.lines.append(line)
        if address := re.search(r"is running at (\S+)", line):
            server.url = address[1]
            break
    guard.cancel()
    assert server.url, f"it ended with {server.process.wait()}: {server.lines}"


def _command(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-W", "ignore", "-m", "quorate", *arguments]


def plain_environment() -> dict[str, str]:
    """Return the environment of a user: without settings of the service, with buffered standard output."""
    ours = ("QUORATE_", "PYTHONUNBUFFERED")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def _environment(url: str | None) -> dict[str, str]:
    plain = plain_environment()
    return plain if url is None else plain | {"QUORATE_DATABASE_URL": url}
