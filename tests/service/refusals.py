"""How a refusal must look."""

import json


def assert_refused_well(status: int, content: bytes) -> None:
    """Where a request is refused, the answer has one line that says why, and nothing else."""
    assert status < 500
    if status < 400:
        return
    told = json.loads(content)
    assert set(told) <= {"error", "fields"}
    assert status == 422 or "fields" not in told
    assert told["error"].strip()
    assert len(told["error"].splitlines()) == 1
    assert "Traceback" not in told["error"]
