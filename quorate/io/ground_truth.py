"""SageMaker Ground Truth's output manifest: one JSON line per task with its consensus. Written, not read."""

import json
from datetime import UTC, datetime
from pathlib import Path

from quorate.io.files import replacing
from quorate.results import Posterior


def write(posterior: Posterior, path: Path, *, now: datetime | None = None) -> None:
    """Write the consensus; the task's name stands as its `source`, or `source-ref` where it is an address."""
    date = (now or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%S.%f")
    rows = zip(posterior.tasks.tolist(), posterior.labels.tolist(), posterior.confidence.tolist(), strict=True)
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as lines:
        for task, label, confidence in rows:
            metadata = {
                "class-name": str(posterior.classes[label]),
                "confidence": round(confidence, 6),
                "type": "groundtruth/text-classification",
                "human-annotated": "yes",
                "creation-date": date,
                "job-name": "quorate",
            }
            if "://" in str(task):
                row = {"source-ref": task, "label": label}
                metadata["type"] = "groundtruth/image-classification"
            else:
                row = {"source": str(task), "label": label}
            lines.write(json.dumps(row | {"label-metadata": metadata}, ensure_ascii=False) + "\n")
