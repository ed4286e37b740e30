"""Starts the service as a user would, `quorate serve`, and becomes its owner."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe

from quorate import QuorateError
from quorate.client import Client

OWNER = "demo"
STOP_SECONDS = 20.0
LOOK = 0.1  # seconds between looks at what the service says


@dataclass(frozen=True, kw_only=True)
class DemoService:
    """A service that runs, and what its owner signs in by."""

    url: str
    token: str
    password: str


@contextmanager
def running_service(folder: Path, *, port: int = 0) -> Iterator[DemoService]:
    """The service on this machine only, with its data in a folder; it ends with the block. port 0: any that is free."""
    log = folder / "service.log"
    command = [sys.executable, "-m", "quorate", "serve", "--host", "127.0.0.1", "--port", str(port)]
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, "--data", str(folder / "data")],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # Ctrl-C is for the one who started it: people go home before the service ends
        )
        try:
            yield _joined(process, log)
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _joined(process: "subprocess.Popen[bytes]", log: Path) -> DemoService:
    """Open the link that the first start prints, which makes the owner."""
    while process.poll() is None:
        if found := re.search(r"(https?://\S+?)/join#(\S+)", log.read_text()):
            url, link = found.groups()
            password = token_urlsafe(12)
            with Client(url) as client:
                client.session.join(link, password, name=OWNER)
                return DemoService(url=url, password=password, token=client.tokens.create("demo", ["read", "manage"]))
        time.sleep(LOOK)
    raise QuorateError(f"the service did not start: {log.read_text().strip() or 'it said nothing'}")
