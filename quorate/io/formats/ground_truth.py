"""SageMaker Ground Truth's output manifest: one JSON line per task with its consensus. Written, not read."""

import json
from datetime import UTC, datetime
from pathlib import Path

from quorate.data.posterior import Posterior
from quorate.io.files import write_text


def write(posterior: Posterior, path: Path, *, now: datetime | None = None) -> None:
    """Write the consensus; the task's name is its `source`, or its `source-ref` if it is a URL."""
    date = (now or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%S.%f")
    rows = zip(posterior.tasks.tolist(), posterior.labels.tolist(), posterior.confidence.tolist(), strict=True)
    lines = [json.dumps(_entry(posterior, date, *row), ensure_ascii=False) + "\n" for row in rows]
    write_text("".join(lines), path)


def _entry(posterior: Posterior, date: str, task: object, label: int, confidence: float) -> dict[str, object]:
    is_address = "://" in str(task)
    metadata = {
        "class-name": str(posterior.classes[label]),
        "confidence": round(confidence, 6),
        "type": f"groundtruth/{'image' if is_address else 'text'}-classification",
        "human-annotated": "yes" if len(posterior.workers) else "no",  # a classifier's predictions have no workers
        "creation-date": date,
        "job-name": "quorate",
    }
    return {"source-ref" if is_address else "source": str(task), "label": label, "label-metadata": metadata}
