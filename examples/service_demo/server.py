"""Start of the service with `quorate serve`, as a user would, and its owner account."""

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
POLL_SECONDS = 0.1  # between reads of the log


@dataclass(frozen=True, kw_only=True)
class DemoService:
    """A running service, and the credentials of its owner."""

    url: str
    token: str
    password: str


@contextmanager
def running_service(folder: Path, *, port: int = 0) -> Iterator[DemoService]:
    """Run the service on localhost, with its data in a folder, until the block ends. Port 0 takes any free port."""
    log = folder / "service.log"
    command = [sys.executable, "-m", "quorate", "serve", "--host", "127.0.0.1", "--port", str(port)]
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, "--data", str(folder / "data")],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # Ctrl-C must not reach the service: the crowd stops before the service does
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
    """Open the link that the first start prints, and create the owner account."""
    while process.poll() is None:
        if match := re.search(r"(https?://\S+?)/join#(\S+)", log.read_text()):
            url, link = match.groups()
            password = token_urlsafe(12)
            with Client(url) as client:
                client.session.join(link, password, name=OWNER)
                return DemoService(url=url, password=password, token=client.tokens.create("demo", ["read", "manage"]))
        time.sleep(POLL_SECONDS)
    raise QuorateError(f"the service did not start: {log.read_text().strip() or 'its log is empty'}")
