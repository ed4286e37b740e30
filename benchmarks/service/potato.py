"""Potato on loopback: the next page + the saving of its answer, by one worker."""

import http.client
import json
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.service.cycles import Cycles, cycles
from benchmarks.service.server_process import HOST, JsonConnection, free_port, run_server


def potato(program: Path, folder: Path, *, n_items: int, most: int, seconds: float) -> Cycles:
    """Start Potato in an empty folder, add short texts, and measure; items come in order, so their names are known."""
    port = free_port()
    config = _project(folder, n_items)
    command = [str(program), "start", str(config), "--port", str(port), "--host", HOST]
    log = folder / "potato.log"
    with (
        run_server(command, port, log, health="/health", environment={}, seconds=120.0) as server,
        JsonConnection(port, {"Cookie": _sign_in(port)}, timeout=60.0) as connection,
    ):
        page = str(connection.request_ok("GET", "/annotate"))
        if "text number" not in page:
            raise SystemExit(f"Potato shows no item:\n{page[:500]}")
        current = iter(range(n_items))

        def submit(_: object) -> None:
            answer = {"instance_id": f"item{next(current)}", "annotations": {"label:yes": "true"}}
            connection.request_ok("POST", "/updateinstance", answer)

        def serve() -> object:
            return connection.request_ok("POST", "/annotate", {"action": "next_instance"})

        submit(page)
        return cycles(server, serve, submit, most=most, seconds=seconds)


def _project(folder: Path, n_items: int) -> Path:
    """Write a configuration and its data to a folder, and return the path of the configuration."""
    (folder / "texts.jsonl").write_text(
        "".join(json.dumps({"id": f"item{row}", "text": f"short text number {row}"}) + "\n" for row in range(n_items))
    )
    config = {
        "annotation_task_name": "texts",
        "task_dir": str(folder),
        "output_annotation_dir": "output",
        "output_annotation_format": "jsonl",
        "data_files": ["texts.jsonl"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "annotation_schemes": [
            {"annotation_type": "radio", "name": "label", "description": "yes or no?", "labels": ["yes", "no"]}
        ],
        "require_password": False,
        "user_config": {"allow_all_users": True, "users": []},
        "assignment_strategy": "fixed_order",
        "max_annotations_per_user": n_items,
        "max_annotations_per_item": 3,
        "site_dir": "default",
        "alert_time_each_instance": 10_000_000,
    }
    path = folder / "config.yaml"
    path.write_text(json.dumps(config))  # JSON is YAML
    return path


def _sign_in(port: int) -> str:
    """Sign in a worker without password, and return the cookie."""
    connection = http.client.HTTPConnection(HOST, port, timeout=60)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/auth", urlencode({"email": "worker", "action": "login"}), form)
    cookie = (connection.getresponse().getheader("Set-Cookie") or "").partition(";")[0]
    connection.close()
    return cookie
