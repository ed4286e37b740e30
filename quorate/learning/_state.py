"""What a fitted learner has learnt, in a shape that can be saved: plain JSON, and arrays by name."""

from typing import Any, Protocol

from numpy.typing import NDArray

from quorate.protocols import Learner

State = tuple[dict[str, Any], dict[str, NDArray[Any]]]


class Storable(Learner, Protocol):
    """A learner that can be saved (see `saving`)."""

    def state(self) -> State:
        """What was learnt: what JSON can hold, and arrays by name."""
        ...

    def restore(self, known: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Take on what `state` gave."""
        ...


def nested(name: str, state: State) -> State:
    """The state of a learner inside another one, under a name of its own.

    >>> nested("inner", ({"n": 1}, {}))
    ({'inner': {'n': 1}}, {})
    """
    known, arrays = state
    return {name: known}, {f"{name}/{array}": value for array, value in arrays.items()}


def inner(name: str, known: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> State:
    """What `nested` put under a name."""
    start = f"{name}/"
    return known[name], {key.removeprefix(start): value for key, value in arrays.items() if key.startswith(start)}
