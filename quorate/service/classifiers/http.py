"""A classifier at an address of its own: it is sent items, and answers with class probabilities."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
import numpy as np
import orjson

from quorate.data.checks import probability_rows
from quorate.errors import QuorateError
from quorate.service.classifiers.item import Item
from quorate.service.outbound import post
from quorate.service.store.blobs import from_blob
from quorate.typing import Array

TIMEOUT = 30.0  # seconds for one batch
TRIES, FIRST_PAUSE = 3, 0.5  # the pause is doubled
LARGEST = 20_000_000  # bytes of an answer


class OutsideError(QuorateError):
    """The model elsewhere did not answer, or not as it should."""


@dataclass(frozen=True, kw_only=True)
class Outside:
    """A model at an address. It gets {question, classes, items: [{id, kind, content, features}]} by POST as JSON, and
    answers {probabilities: [[...], ...]}: for each item, in order, the probability of each class; rows sum to one.

    allow_private: whether the address may lie in the service's own network. pause: how to wait between tries.
    """

    url: str
    question: str
    classes: tuple[str, ...]
    allow_private: bool = False
    pause: Callable[[float], None] = time.sleep

    def ask(self, items: Sequence[Item]) -> Array:
        """What it says of some items: (n, n_classes), rows sum to one. Tried again where that may help."""
        body = orjson.dumps(
            {"question": self.question, "classes": self.classes, "items": [_described(item) for item in items]}
        )
        for attempt in range(TRIES):
            try:
                return self._probabilities(self._post(body), len(items))
            except (httpx.TransportError, _BusyError) as error:
                if attempt + 1 == TRIES:
                    why = str(error) or type(error).__name__
                    raise OutsideError(f"the model at {self.url} does not answer: {why}") from None
                self.pause(FIRST_PAUSE * 2**attempt)
        raise AssertionError("it returns or raises before")

    def _post(self, body: bytes) -> bytes:
        headers = {"content-type": "application/json"}
        try:
            response = asyncio.run(
                post(self.url, body, headers, seconds=TIMEOUT, max_bytes=LARGEST, allow_private=self.allow_private)
            )
        except TimeoutError:
            raise _BusyError(f"it took more than {TIMEOUT:g} s") from None
        if response.status >= 500 or response.status == 429:
            raise _BusyError(f"it said {response.status}")
        if response.status != 200:
            raise OutsideError(f"the model at {self.url} said {response.status}: it must answer with 200")
        if response.is_truncated:
            raise OutsideError(f"the model at {self.url} answers with more than {LARGEST:,} bytes: send less")
        return response.body

    def _probabilities(self, answer: bytes, n_items: int) -> Array:
        shape = (n_items, len(self.classes))
        try:
            said = np.array(orjson.loads(answer)["probabilities"], dtype=np.float64)
        except (ValueError, TypeError, KeyError):
            said = np.empty(0)
        if said.shape != shape:
            wanted = f'{{"probabilities": [[...], ...]}} with {shape[0]} rows of {shape[1]} numbers'
            raise OutsideError(f"the model at {self.url} must answer {wanted}, got an answer of shape {said.shape}")
        return probability_rows(said, f"probabilities of the model at {self.url}", error=OutsideError)


class _BusyError(Exception):
    """It may answer another time."""


def _described(item: Item) -> dict[str, Any]:
    features = None if item.features is None else from_blob(item.features).tolist()
    return {"id": item.id, "kind": item.kind, "content": item.content, "features": features}
