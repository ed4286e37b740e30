"""Fitted learners saved in a folder: model.json, which people can read, and model.safetensors. Neither holds code."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.errors import FileError, MethodError, MissingExtraError, QuorateError
from quorate.io.files import read_json, reading, replacing_folder, require_replaceable
from quorate.learning.state import Storable
from quorate.registry.stored_types import stored_type, type_name

FORMAT = 2  # raised when the files change, so that an older Quorate can refuse to read them
SETTINGS, ARRAYS = "model.json", "model.safetensors"
LIFTED, MIN_LIFTED = "learnt/", 16  # lists of numbers of this length or more are moved to arrays with this prefix
KINDS = ("learner", "training", "base", "head", "loss", "step", "target", "aggregation", "ambiguity", "calibration")
LOCAL = ("cache", "checkpoint")  # paths that training writes to: a model from a file must not set them
BROKEN = (KeyError, TypeError, ValueError, IndexError, AttributeError, RuntimeError, OverflowError, MemoryError)


def require_target(folder: Path) -> None:
    """Refuse a folder that `save` could not write to; called before long work."""
    _safetensors()
    require_replaceable(folder, {SETTINGS, ARRAYS})


def save(learner: Storable, folder: str | Path, *, about: Mapping[str, Any] | None = None) -> None:
    """Write a fitted learner to a folder; an older model there is replaced only once everything is written.

    Args:
        learner: a fitted learner.
        folder: folder to write; it is created.
        about: anything else to keep with the model that JSON can hold, such as the names of the features; see
            `read_about`.

    >>> import tempfile
    >>> from quorate import Votes, aggregate
    >>> from quorate.learning.learners.linear import Linear
    >>> votes = Votes.from_matrix([[0, 0], [1, 1]])
    >>> model = Linear().fit([[0.0], [1.0]], votes, aggregate(votes))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, f"{folder}/model")
    ...     load(f"{folder}/model").predict_proba([[1.0]]).argmax()
    np.int64(1)
    """
    if not hasattr(learner, "state"):
        raise MethodError(f"{type(learner).__name__} cannot be saved: it has no state()")
    try:
        values, arrays = learner.state()
    except AttributeError as error:
        raise _state_error(error, learner) from None
    arrays = dict(arrays)
    if not _all_finite(arrays):
        raise MethodError(f"what this {type(learner).__name__} has learnt is not finite: lower the learning rate")
    content = {
        "format": FORMAT,
        "about": {"quorate": registry.module("quorate").__version__} | dict(about or {}),
        "learner": _describe(learner),
        "fitted": _lift(values, arrays),
    }
    from_arrays = _safetensors().save({name: np.asarray(array, order="C") for name, array in arrays.items()})
    with replacing_folder(Path(folder), {SETTINGS, ARRAYS}) as temporary:
        (temporary / SETTINGS).write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        (temporary / ARRAYS).write_bytes(from_arrays)


def _state_error(error: AttributeError, learner: Storable) -> Exception:
    """Return the error for a missing attribute: the learner is not fitted, or one inside it cannot be saved."""
    if error.obj is learner:
        return MethodError(f"this {type(learner).__name__} has learnt nothing yet: fit it before it is saved")
    if error.name == "state":
        inside = type(error.obj).__name__
        return MethodError(f"the {inside} in this {type(learner).__name__} cannot be saved: use a learner with state()")
    return error


def load(folder: str | Path) -> Any:
    """Return the learner that was saved to a folder; its predictions are the same, bit for bit.

    Only dataclasses of Quorate's own learners, their parts and aggregators are built; a file that names anything else,
    or is damaged, is refused with a message of one line.
    """
    folder = Path(folder)
    _safetensors()
    if not (folder / SETTINGS).is_file():
        raise FileError(f"{folder}: there is no model ({SETTINGS} is missing): name a folder made by save or train")
    with reading(folder / SETTINGS), _refusing("this is not a model of Quorate"):
        content = read_json(folder / SETTINGS)
        _require_format(content)
        learner = _build(content["learner"])
        values = content["fitted"]
        if not hasattr(learner, "restore"):
            raise FileError(f"{type(learner).__name__} is not a learner that can be loaded")
    arrays = _read_arrays(folder / ARRAYS)
    with reading(folder / ARRAYS), _refusing(f"the arrays do not fit {SETTINGS}"):
        values = _put_back(values, arrays)
        learner.restore(values, {name: array for name, array in arrays.items() if not name.startswith(LIFTED)})
    return learner


def read_about(folder: str | Path) -> dict[str, Any]:
    """Return what was stored with a model as `about` of `save`, and the version of Quorate that saved it."""
    path = Path(folder) / SETTINGS
    with reading(path), _refusing("this is not a model of Quorate"):
        about = read_json(path).get("about", {})
        names = about.get("columns", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise FileError("its columns are not a list of names: copy the model again")
        return dict(about)


def _describe(value: Any) -> Any:
    """Return an option as JSON: plain values, tuples as lists, dataclasses by their type names."""
    if is_dataclass(value) and not isinstance(value, type):
        kind = type_name(type(value))
        if kind is None or stored_type(kind, KINDS) is None:
            name = f"{type(value).__module__}.{type(value).__qualname__}"
            raise MethodError(f"{name} cannot be saved: only parts that are defined in Quorate can be loaded again")
        names = [field.name for field in fields(value) if field.name not in LOCAL]
        return {"kind": kind} | {name: _describe(getattr(value, name)) for name in names}
    if isinstance(value, tuple | list):
        return [_describe(item) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, str | int | float):
        return value
    raise MethodError(f"an option of type {type(value).__name__} cannot be saved: use numbers, text and parts")


def _build(value: Any) -> Any:
    """Return the option that `_describe` wrote."""
    if isinstance(value, list):
        return tuple(_build(item) for item in value)
    if not isinstance(value, dict):
        return value
    options = dict(value)
    cls = _class_of(options.pop("kind"))
    return cls(**{name: _build(option) for name, option in options.items() if name not in LOCAL})


def _lift(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """Return values for JSON, with their long lists of numbers moved to the arrays."""
    if isinstance(value, dict):
        return {name: _lift(item, arrays) for name, item in value.items()}
    if isinstance(value, list) and len(value) >= MIN_LIFTED and _all_floats(value):
        name = f"{LIFTED}{len(arrays)}"
        arrays[name] = np.array(value, dtype=np.float64)
        return {"array": name}
    return [_lift(item, arrays) for item in value] if isinstance(value, list) and not _all_floats(value) else value


def _put_back(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """Return the values that `_lift` was given."""
    if isinstance(value, dict):
        if set(value) == {"array"}:
            return arrays[value["array"]].tolist()
        return {name: _put_back(item, arrays) for name, item in value.items()}
    return [_put_back(item, arrays) for item in value] if isinstance(value, list) else value


def _all_floats(values: list[Any]) -> bool:
    """Return True if a list holds only floats, or only lists of floats of the same length."""
    if values and isinstance(values[0], list):
        return all(isinstance(row, list) and len(row) == len(values[0]) and _all_floats(row) for row in values)
    return all(isinstance(value, float) for value in values)


def _all_finite(arrays: Mapping[str, NDArray[Any]]) -> bool:
    return all(np.isfinite(array).all() for array in arrays.values() if array.dtype.kind == "f")


def _class_of(kind: str) -> type[Any]:
    """Return the dataclass with a type name from a file; only learners and their parts are allowed."""
    cls = stored_type(kind, KINDS)
    if cls is None:
        raise FileError(f"it names {kind!r}, which is not a part of models in this Quorate: update it")
    return cls


def _require_format(content: Any) -> None:
    version = content["format"]
    if not isinstance(version, int) or version < 1:
        raise FileError(f"format {version!r} is not one that Quorate has written: copy the model again")
    if version > FORMAT:
        raise FileError(f"it has format {version}, but this Quorate reads up to {FORMAT}: update Quorate")


def _read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    tensors = _safetensors()
    with reading(path), _refusing("this is not a safetensors file, or it is cut short: copy it again"):
        arrays: dict[str, NDArray[Any]] = tensors.load(path.read_bytes())
        if not _all_finite(arrays):
            raise FileError("the weights are damaged, some are not finite: copy it again, or train again")
        return {name: array.copy() for name, array in arrays.items()}  # arrays read from bytes are read-only


@contextmanager
def _refusing(message: str) -> Iterator[None]:
    """Turn any error that a damaged or foreign file causes into a FileError with this message."""
    from safetensors import SafetensorError

    try:
        yield
    except (QuorateError, UnicodeError, json.JSONDecodeError, RecursionError):
        raise  # `reading` reports these
    except (*BROKEN, SafetensorError):
        raise FileError(message) from None


def _safetensors() -> Any:
    try:
        import safetensors.numpy
    except ImportError:
        raise MissingExtraError("saved models need safetensors: pip install 'quorate[learn]'") from None
    return safetensors.numpy
