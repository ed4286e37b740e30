"""A classifier behind a URL: items are sent to it, and it responds with class probabilities."""

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
MAX_ATTEMPTS, FIRST_PAUSE = 3, 0.5  # the pause doubles after each attempt
MAX_BYTES = 20_000_000  # of a response


class HttpClassifierError(QuorateError):
    """The classifier did not respond, or its response is not valid."""


@dataclass(frozen=True, kw_only=True)
class HttpClassifier:
    """A classifier behind a URL.

    It gets {question, classes, items: [{id, kind, content, features}]} by POST as JSON, and responds with
    {probabilities: [[...], ...]}: for each item, in order, the probability of each class; rows sum to one.

    Attributes:
        url: where items are sent.
        question: name of the question.
        classes: names of the classes.
        allow_private: whether the URL may lead into the service's own network.
        pause: waits for some seconds between two attempts.
    """

    url: str
    question: str
    classes: tuple[str, ...]
    allow_private: bool = False
    pause: Callable[[float], None] = time.sleep

    def predict_proba(self, items: Sequence[Item]) -> Array:
        """Return the class probabilities of some items, (n, n_classes); failures that may pass are tried again."""
        body = orjson.dumps(
            {"question": self.question, "classes": self.classes, "items": [_item_to_json(item) for item in items]}
        )
        for attempt in range(MAX_ATTEMPTS):
            try:
                return self._parse_probabilities(self._post(body), len(items))
            except (httpx.TransportError, _BusyError) as error:
                if attempt + 1 == MAX_ATTEMPTS:
                    reason = str(error) or type(error).__name__
                    raise self._error(f"does not respond: {reason}") from None
                self.pause(FIRST_PAUSE * 2**attempt)
        raise AssertionError("the last attempt returns or raises")

    def _post(self, body: bytes) -> bytes:
        headers = {"content-type": "application/json"}
        try:
            response = asyncio.run(
                post(self.url, body, headers, seconds=TIMEOUT, max_bytes=MAX_BYTES, allow_private=self.allow_private)
            )
        except TimeoutError:
            raise _BusyError(f"it took more than {TIMEOUT:g} s") from None
        if response.status >= 500 or response.status == 429:
            raise _BusyError(f"its status is {response.status}")
        if response.status != 200:
            raise self._error(f"responds with status {response.status}: it must be 200")
        if response.is_truncated:
            raise self._error(f"responds with more than {MAX_BYTES:,} bytes: send less")
        return response.body

    def _parse_probabilities(self, body: bytes, n_items: int) -> Array:
        shape = (n_items, len(self.classes))
        try:
            probs = np.array(orjson.loads(body)["probabilities"], dtype=np.float64)
        except (ValueError, TypeError, KeyError):
            probs = np.empty(0)
        if probs.shape != shape:
            expected = f'{{"probabilities": [[...], ...]}} with {shape[0]} rows of {shape[1]} numbers'
            raise self._error(f"must respond with {expected}, got shape {probs.shape}")
        return probability_rows(probs, f"probabilities of the classifier at {self.url}", error=HttpClassifierError)

    def _error(self, problem: str) -> HttpClassifierError:
        return HttpClassifierError(f"the classifier at {self.url} {problem}")


class _BusyError(Exception):
    """The request failed, but may succeed later."""


def _item_to_json(item: Item) -> dict[str, Any]:
    features = None if item.features is None else from_blob(item.features).tolist()
    return {"id": item.id, "kind": item.kind, "content": item.content, "features": features}
