"""Label Studio on loopback with SQLite, as `label-studio start` runs it: next + submit of one worker."""

import secrets
from pathlib import Path
from typing import Any

from benchmarks.service.cycles import Cycles, cycles
from benchmarks.service.server_process import HOST, JsonConnection, free_port, run_server

CHOICES = (
    '<View><Text name="text" value="$text"/><Choices name="label" toName="text">'
    '<Choice value="yes"/><Choice value="no"/></Choices></View>'
)
ANSWER = {
    "result": [{"from_name": "label", "to_name": "text", "type": "choices", "value": {"choices": ["yes"]}}],
    "lead_time": 2.0,
}
CHUNK = 2000  # tasks per import request


def label_studio(program: Path, folder: Path, *, n_items: int, most: int, seconds: float) -> Cycles:
    """Start Label Studio in an empty folder, add short texts, and measure cycles of next + submit."""
    port, token = free_port(), secrets.token_hex(20)
    command = [str(program), "start", "--no-browser", "--internal-host", HOST, "--port", str(port)]
    environment = _environment(folder, token)
    log = folder / "label_studio.log"
    with (
        run_server(command, port, log, health="/health", environment=environment, seconds=180.0) as server,
        JsonConnection(port, {"Authorization": f"Token {token}"}, timeout=300.0) as connection,
    ):
        project = connection.request_ok("POST", "/api/projects", {"title": "texts", "label_config": CHOICES})["id"]
        for first in range(0, n_items, CHUNK):
            texts = [{"text": f"short text number {row}"} for row in range(first, min(first + CHUNK, n_items))]
            connection.request_ok("POST", f"/api/projects/{project}/import", texts)

        def submit(task: Any) -> None:
            connection.request_ok("POST", f"/api/tasks/{task['id']}/annotations/", ANSWER)

        return cycles(
            server,
            lambda: connection.request_ok("GET", f"/api/projects/{project}/next"),
            submit,
            most=most,
            seconds=seconds,
        )


def _environment(folder: Path, token: str) -> dict[str, str]:
    """Return settings for a first user, without calls to other servers."""
    return {
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder / "data"),
        "LABEL_STUDIO_USERNAME": "worker@example.org",
        "LABEL_STUDIO_PASSWORD": secrets.token_hex(12),
        "LABEL_STUDIO_USER_TOKEN": token,
        "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
        "COLLECT_ANALYTICS": "false",
        "LATEST_VERSION_CHECK": "false",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
    }
