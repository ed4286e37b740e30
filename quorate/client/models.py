"""The models of a project: versions, reliability, and what they say of the instructions."""

from dataclasses import dataclass
from typing import Any

from quorate.client.progress import Certificate
from quorate.client.responses import Json, read


@dataclass(frozen=True, kw_only=True)
class Models:
    """Of one question. versions: newest first. reliability: bins of confidence before and after, and against what.

    mistakes: classes where the best workers, or experts, say something else than the crowd, with items to look at.
    """

    question: str
    versions: list[Json]
    reliability: Json | None
    mistakes: list[Json]
    certificate: Certificate | None


def read_models(said: Any) -> Models:
    """As the service tells it."""
    certificate = said["certificate"]
    known = None if certificate is None else read(Certificate, certificate)
    return read(Models, {**said, "certificate": known})
