"""Fitted models as bytes, for a column of the database: a zip of JSON and numpy arrays, without executable content."""

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

FORMATS = (1, 2)  # supported for reading; the last one is written
TREE, ARRAY = "model.json", "{}.npy"
KINDS = ("decision", "fusion", "policy", "aggregation", "inference", "service")  # of types that may be stored
COMPRESSION = 1  # the lowest is enough: tables of thousands of workers are mostly zeros
NUMERIC_KINDS = "biuf"  # of numpy dtypes


def pack(model: Fused) -> bytes:
    """Return a fitted policy or fusion as bytes.

    >>> from quorate import Votes
    >>> from quorate.decision.fusion.product import Product
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> model = Product().fit(votes, {})
    >>> bool((unpack(pack(model)).posterior(votes, {}) == model.posterior(votes, {})).all())
    True
    """
    return pack_parts(model)


def unpack(packed: bytes) -> Fused:
    """Return the model that was packed; its decisions are bit-identical."""
    model = unpack_parts(packed)
    if not hasattr(model, "belief"):
        raise FileError(f"the stored model is damaged: {type(model).__name__} is not a fitted model; fit it again")
    return cast(Fused, model)


def pack_parts(value: Any) -> bytes:
    """Return a dataclass of Quorate as bytes, with its numbers, text, arrays, tuples, lists, dicts and dataclasses."""
    arrays: list[NDArray[Any]] = []
    tree = {"format": FORMATS[-1], "model": _to_json(value, arrays)}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=COMPRESSION) as file:
        file.writestr(TREE, json.dumps(tree, ensure_ascii=False, allow_nan=False))
        for number, array in enumerate(arrays):
            with file.open(ARRAY.format(number), "w") as part:
                np.lib.format.write_array(part, array, allow_pickle=False)
    return buffer.getvalue()


def unpack_parts(packed: bytes) -> Any:
    """Return the value that was packed. Only dataclasses of Quorate are created; anything else is refused."""
    with _one_line_errors(), zipfile.ZipFile(io.BytesIO(packed)) as file:
        tree = json.loads(file.read(TREE))
        if tree["format"] not in FORMATS:
            newest = FORMATS[-1]
            raise FileError(
                f"the stored model has format {tree['format']!r}, this version reads up to {newest}: upgrade Quorate"
            )
        return _from_json(tree["model"], file)


def _to_json(value: Any, arrays: list[NDArray[Any]]) -> Any:
    """Return a value as JSON; an array is appended to the list, and represented by its index."""
    if isinstance(value, np.ndarray):
        return _array_to_json(value, arrays)
    if is_dataclass(value) and not isinstance(value, type):
        values = {field.name: _to_json(getattr(value, field.name), arrays) for field in fields(value)}
        return {"kind": _kind(type(value)), "fields": values}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not isfinite(value):
        return {"number": repr(value)}
    if isinstance(value, tuple | list):
        return {"tuple" if isinstance(value, tuple) else "list": [_to_json(part, arrays) for part in value]}
    if isinstance(value, dict):
        return {"dict": [[str(name), _to_json(part, arrays)] for name, part in value.items()]}
    if value is None or isinstance(value, str | int | float):
        return value
    raise MethodError(f"a {type(value).__name__} cannot be stored: use numbers, text, arrays or classes of Quorate")


def _array_to_json(value: NDArray[Any], arrays: list[NDArray[Any]]) -> dict[str, Any]:
    if value.dtype == TEXT:
        return {"names": value.tolist()}
    if value.dtype.kind not in NUMERIC_KINDS:
        raise MethodError(f"an array of {value.dtype} cannot be stored: only numbers and names can")
    arrays.append(np.ascontiguousarray(value))
    return {"array": len(arrays) - 1}


def _kind(cls: type[Any]) -> str:
    kind = type_name(cls)
    if kind is None or stored_type(kind, KINDS) is None:
        name = f"{cls.__module__}.{cls.__qualname__}"
        raise MethodError(f"{name} cannot be stored: only classes that are defined in Quorate can be read again")
    return kind


def _from_json(value: Any, file: zipfile.ZipFile) -> Any:
    """Return the value that `_to_json` described."""
    if not isinstance(value, dict):
        return value
    if "kind" in value:
        return _build(value["kind"], {name: _from_json(field, file) for name, field in value["fields"].items()})
    ((tag, content),) = value.items()
    match tag:
        case "array":
            with file.open(ARRAY.format(int(content))) as part:
                return np.lib.format.read_array(part, allow_pickle=False)
        case "names":
            return np.array(content, dtype=TEXT)
        case "number":
            return float(content)
        case "dict":
            return {name: _from_json(part, file) for name, part in content}
        case "tuple" | "list":
            values = [_from_json(part, file) for part in content]
            return tuple(values) if tag == "tuple" else values
    raise FileError(f"the stored model is damaged: it contains {tag!r}; fit it again")


def _build(kind: str, values: dict[str, Any]) -> Any:
    cls = stored_type(kind, KINDS)
    if cls is None:
        raise FileError(f"the stored model names {kind!r}, which is not a part of a model: fit it again")
    return cls(**current_fields(cls, values))


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """Turn any exception that damaged or foreign bytes cause into an error message of one line."""
    try:
        yield
    except QuorateError:
        raise
    except Exception as error:  # readers of zip, JSON and numpy raise many types of errors on damaged bytes
        raise FileError(f"the stored model is damaged ({type(error).__name__}): fit it again") from None
