"""Fitted models as bytes, for a column of the database: a zip of JSON and numpy arrays. Nothing in it can run."""

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.data.ids import TEXT
from quorate.decision.base import Fused
from quorate.errors import FileError, MethodError, QuorateError
from quorate.registry.stored_types import current_fields, stored_type, type_name

FORMATS = (1, 2)  # that can be read; the last one is written
TREE, ARRAY = "model.json", "{}.npy"
KINDS = ("decision", "fusion", "policy", "aggregation", "service")  # of the types that may be stored
LEAST_EFFORT = 1  # of compressing: tables of thousands of workers are mostly zeros
NUMBERS = "biuf"  # kinds of arrays


def pack(model: Fused) -> bytes:
    """What a policy or a fusion has fitted, as bytes.

    >>> from quorate import Votes
    >>> from quorate.decision.fusion.product import Product
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> model = Product().fit(votes, {})
    >>> bool((unpack(pack(model)).posterior(votes, {}) == model.posterior(votes, {})).all())
    True
    """
    return pack_parts(model)


def unpack(packed: bytes) -> Fused:
    """What `pack` was given; it decides as it did, bit for bit."""
    model = unpack_parts(packed)
    if not hasattr(model, "belief"):
        raise FileError(f"the stored model is damaged: {type(model).__name__} is no fitted model; fit it anew")
    return cast(Fused, model)


def pack_parts(value: Any) -> bytes:
    """Dataclasses of Quorate, and what they hold: numbers, text, names, arrays, tuples, lists, dicts and each other."""
    arrays: list[NDArray[Any]] = []
    tree = {"format": FORMATS[-1], "model": _described(value, arrays)}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=LEAST_EFFORT) as file:
        file.writestr(TREE, json.dumps(tree, ensure_ascii=False, allow_nan=False))
        for number, array in enumerate(arrays):
            with file.open(ARRAY.format(number), "w") as part:
                np.lib.format.write_array(part, array, allow_pickle=False)
    return buffer.getvalue()


def unpack_parts(packed: bytes) -> Any:
    """What `pack_parts` was given. Only dataclasses of Quorate are made; anything else is refused in one line."""
    with _refusing(), zipfile.ZipFile(io.BytesIO(packed)) as file:
        tree = json.loads(file.read(TREE))
        if tree["format"] not in FORMATS:
            newest = FORMATS[-1]
            raise FileError(
                f"the stored model is of format {tree['format']!r}, this Quorate reads up to {newest}: update Quorate"
            )
        return _made(tree["model"], file)


def _described(value: Any, arrays: list[NDArray[Any]]) -> Any:
    """A value as JSON; arrays go to the list, and leave their number."""
    if isinstance(value, np.ndarray):
        return _array(value, arrays)
    if is_dataclass(value) and not isinstance(value, type):
        kept = {field.name: _described(getattr(value, field.name), arrays) for field in fields(value)}
        return {"kind": _kind(type(value)), "fields": kept}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not isfinite(value):
        return {"number": repr(value)}
    if isinstance(value, tuple | list):
        return {"tuple" if isinstance(value, tuple) else "list": [_described(one, arrays) for one in value]}
    if isinstance(value, dict):
        return {"dict": [[str(name), _described(one, arrays)] for name, one in value.items()]}
    if value is None or isinstance(value, str | int | float):
        return value
    raise MethodError(f"a {type(value).__name__} cannot be stored: only numbers, text, arrays and parts of Quorate can")


def _array(value: NDArray[Any], arrays: list[NDArray[Any]]) -> dict[str, Any]:
    if value.dtype == TEXT:
        return {"names": value.tolist()}
    if value.dtype.kind not in NUMBERS:
        raise MethodError(f"an array of {value.dtype} cannot be stored: only numbers and names can")
    arrays.append(np.ascontiguousarray(value))
    return {"array": len(arrays) - 1}


def _kind(cls: type[Any]) -> str:
    kind = type_name(cls)
    if kind is None or stored_type(kind, KINDS) is None:
        name = f"{cls.__module__}.{cls.__qualname__}"
        raise MethodError(f"{name} cannot be stored: only parts that are defined in Quorate can be read again")
    return kind


def _made(value: Any, file: zipfile.ZipFile) -> Any:
    """What `_described` told of."""
    if not isinstance(value, dict):
        return value
    if "kind" in value:
        return _part(value["kind"], {name: _made(one, file) for name, one in value["fields"].items()})
    ((how, told),) = value.items()
    match how:
        case "array":
            with file.open(ARRAY.format(int(told))) as part:
                return np.lib.format.read_array(part, allow_pickle=False)
        case "names":
            return np.array(told, dtype=TEXT)
        case "number":
            return float(told)
        case "dict":
            return {name: _made(one, file) for name, one in told}
        case "tuple" | "list":
            made = [_made(one, file) for one in told]
            return tuple(made) if how == "tuple" else made
    raise FileError(f"the stored model is damaged: it holds {how!r}; fit it anew")


def _part(kind: str, kept: dict[str, Any]) -> Any:
    found = stored_type(kind, KINDS)
    if found is None:
        raise FileError(f"the stored model names {kind!r}, which is no part of a model: fit it anew")
    return found(**current_fields(found, kept))


@contextmanager
def _refusing() -> Iterator[None]:
    """One line for whatever damaged or foreign bytes make go wrong."""
    try:
        yield
    except QuorateError:
        raise
    except Exception as error:  # a zip, JSON or numpy reader may raise nearly anything on bytes that are not its own
        raise FileError(f"the stored model is damaged ({type(error).__name__}): fit it anew") from None
