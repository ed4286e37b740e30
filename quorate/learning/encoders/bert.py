"""A frozen BERT encoder of texts, read from a folder with tokenizers, safetensors and torch alone."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from quorate.errors import FileError, MissingExtraError
from quorate.learning.encoders.files import fingerprint

MAX_TOKENS = 256  # of a text; the rest is not read
N_STATES = 4  # layers, from the middle one to the last, whose states are features
MAX_BATCH_TOKENS = 1024  # with padding; larger batches leave the cache of a processor and are slower
FILES = ("config.json", "tokenizer.json", "model.safetensors")


class BertEncoder:
    """Mean over tokens of the states after several layers, each scaled to length 1, side by side.

    The layers run from the middle one to the last: the last knows topics best, the middle ones sentiment and style.

    Attributes:
        name: the name of the folder.
        version: identifies the weights, the tokenizer and what is computed from them.
        size: number of features of a text.
        max_tokens: longer texts are truncated to this number of tokens.
    """

    def __init__(self, folder: Path, name: str = "") -> None:
        self.name = name or folder.name
        config = _read_config(folder)
        self.n_heads, self.eps = config["num_attention_heads"], config["layer_norm_eps"]
        n_layers = config["num_hidden_layers"]
        self.states = tuple(sorted({*np.linspace(n_layers / 2, n_layers, N_STATES).round().astype(int).tolist()} - {0}))
        self.size = config["hidden_size"] * len(self.states)
        self.max_tokens = min(MAX_TOKENS, config["max_position_embeddings"])
        self.tokenizer = _read_tokenizer(folder, self.max_tokens)
        self.embeddings, self.layers = _read_weights(folder, n_layers)
        layers = "-".join(map(str, self.states))
        self.version = f"{fingerprint([folder / file for file in FILES])}-{self.max_tokens}-{layers}"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the features of texts: (n_texts, size)."""
        tokens = [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]
        features = np.empty((len(texts), self.size), dtype=np.float32)
        for rows in _batches([len(ids) for ids in tokens]):
            features[rows] = self._encode_batch([tokens[row] for row in rows])
        return features

    @torch.inference_mode()
    def _encode_batch(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        lengths = torch.tensor([len(ids) for ids in tokens])
        ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(ids, dtype=torch.long) for ids in tokens], batch_first=True)
        mask = torch.arange(ids.shape[1]) < lengths[:, None]  # (n, length): which positions hold a token
        share = (mask / lengths[:, None]).unsqueeze(1)  # (n, 1, length): the weight of each token in the mean
        means = [(share @ states).squeeze(1) for states in self._states(ids, mask)]
        return torch.cat([functional.normalize(mean, dim=1) for mean in means], dim=1).numpy()

    def _states(self, ids: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the states after the chosen layers, each (n, length, width)."""
        words, positions, types, *norm = self.embeddings
        x = self._norm(words[ids] + positions[: ids.shape[1]] + types[0], *norm)
        padding = None if mask.all() else mask[:, None, None]
        states = []
        for number, layer in enumerate(self.layers, start=1):
            x = self._layer(x, layer, padding)
            if number in self.states:
                states.append(x)
        return states

    def _layer(self, x: Tensor, layer: dict[str, Tensor], mask: Tensor | None) -> Tensor:
        n, length, width = x.shape
        heads = functional.linear(x, layer["in.weight"], layer["in.bias"]).view(n, length, 3, self.n_heads, -1)
        query, key, value = heads.permute(2, 0, 3, 1, 4)  # (n, head, length, width of a head)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask).transpose(1, 2)
        mixed = functional.linear(mixed.reshape(n, length, width), layer["out.weight"], layer["out.bias"])
        x = self._norm(x + mixed, layer["out_norm.weight"], layer["out_norm.bias"])
        hidden = functional.gelu(functional.linear(x, layer["up.weight"], layer["up.bias"]))
        down = functional.linear(hidden, layer["down.weight"], layer["down.bias"])
        return self._norm(x + down, layer["down_norm.weight"], layer["down_norm.bias"])

    def _norm(self, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return functional.layer_norm(x, x.shape[-1:], weight, bias, self.eps)


def _batches(lengths: list[int]) -> list[list[int]]:
    """Return rows in batches of similar length, the shortest first, so that little is padded."""
    batches: list[list[int]] = [[]]
    for row in np.argsort(lengths, kind="stable").tolist():
        if (len(batches[-1]) + 1) * lengths[row] > MAX_BATCH_TOKENS and batches[-1]:
            batches.append([])
        batches[-1].append(row)
    return [rows for rows in batches if rows]


def _read_config(folder: Path) -> dict[str, Any]:
    """Return the configuration of a BERT encoder; refuse other kinds of networks."""
    for file in FILES:
        if not (folder / file).is_file():
            raise FileError(f"{folder}: has no {file}: give the folder of a sentence encoder with {', '.join(FILES)}")
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        kind, activation = config["model_type"], config["hidden_act"]
        positions = config.get("position_embedding_type", "absolute")
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(f"{folder}: config.json cannot be read as that of a transformer: {error}") from None
    if (kind, activation, positions) != ("bert", "gelu", "absolute"):
        raise FileError(
            f"{folder}: is a network of type {kind} ({activation}, {positions} positions), but only BERT networks "
            "(gelu, absolute) are read, such as those of all-MiniLM, BGE, E5 and GTE"
        )
    return config


def _read_tokenizer(folder: Path, max_tokens: int) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtraError("text encoders need tokenizers: pip install 'quorate[encoders]'") from None
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # tokenizers raises Exception itself
        raise FileError(f"{folder}: tokenizer.json cannot be read: {error}") from None
    tokenizer.enable_truncation(max_tokens)
    tokenizer.no_padding()
    return tokenizer


def _read_weights(folder: Path, n_layers: int) -> tuple[list[Tensor], list[dict[str, Tensor]]]:
    """Return the weights of the embeddings, and those of each layer with query, key and value in one matrix."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        weights = load_file(folder / "model.safetensors")
        prefix = "bert." if "bert.embeddings.LayerNorm.weight" in weights else ""
        embeddings = [weights[f"{prefix}embeddings.{name}"].float() for name in EMBEDDINGS]
        layers = [_layer_weights(weights, f"{prefix}encoder.layer.{number}.") for number in range(n_layers)]
    except (SafetensorError, KeyError) as error:
        raise FileError(f"{folder}: model.safetensors does not hold the weights of a BERT network: {error}") from None
    return embeddings, layers


EMBEDDINGS = (
    "word_embeddings.weight",
    "position_embeddings.weight",
    "token_type_embeddings.weight",
    "LayerNorm.weight",
    "LayerNorm.bias",
)
LAYER = {  # our name -> the name in a file
    "out": "attention.output.dense",
    "out_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "down_norm": "output.LayerNorm",
}


def _layer_weights(weights: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    layer = {}
    for kind in ("weight", "bias"):
        attention = [weights[f"{prefix}attention.self.{name}.{kind}"] for name in ("query", "key", "value")]
        layer[f"in.{kind}"] = torch.cat(attention).float()
        layer |= {f"{ours}.{kind}": weights[f"{prefix}{name}.{kind}"].float() for ours, name in LAYER.items()}
    return layer
