"""Progress of a training, and checkpoints to resume it from: safetensors and JSON, without code."""

import json
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.optim import Optimizer

from quorate.errors import FileError
from quorate.io.files import replacing
from quorate.learning.training.examples import Examples
from quorate.learning.training.recipe import Recipe

OTHER_TRAINING = "{path}: this is the checkpoint of another training (other votes, items, options or seed): remove it"
ROWS = 4096  # items that are hashed at a time


@dataclass
class Progress:
    """State of a training: finished epochs, the loss and score of each, and the best weights so far."""

    epoch: int = 0
    losses: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    best_epoch: int = 0
    best_weights: dict[str, Tensor] | None = None

    def add_score(self, score: float, network: nn.Module) -> None:
        """Record the score of an epoch, and the weights if it is the best so far."""
        if not self.scores or score > max(self.scores):
            self.best_epoch = self.epoch
            self.best_weights = {name: weight.clone() for name, weight in network.state_dict().items()}
        self.scores.append(score)


def fingerprint(network: nn.Module, examples: Examples, recipe: Recipe, seed: int, context: str) -> str:
    """Return a hash that identifies a training: first weights, examples, recipe, seed and `context`.

    context: a text that identifies everything else, such as the loss.
    A training may be resumed with more epochs, patience or threads than it began with.
    """
    free = replace(recipe, epochs=1, patience=0, threads=0, checkpoint="", every=1)
    digest = sha256(f"{seed} {free} {context}".encode())
    taught = (examples.task, examples.target, examples.weight, examples.first_vote, examples.worker, examples.label)
    parts = torch.arange(len(examples.rows)).split(ROWS)
    items = (tensor for part in parts for tensor in _tensors(examples.rows.take(part)))
    for tensor in chain(network.state_dict().values(), taught, items):
        digest.update(f"{tensor.dtype} {tuple(tensor.shape)} ".encode())
        digest.update(tensor.contiguous().numpy().tobytes())
    return digest.hexdigest()


def _tensors(x: Any) -> list[Tensor]:
    """Return the tensors of items in the form that a base takes."""
    if isinstance(x, Tensor):
        return [x]
    parts = x if isinstance(x, tuple) else vars(x).values() if hasattr(x, "__dict__") else ()
    return [tensor for part in parts for tensor in _tensors(part)]


def save_checkpoint(
    path: Path, network: nn.Module, optimiser: Optimizer, random: torch.Generator, progress: Progress, training: str
) -> None:
    """Write everything that is needed to resume a training; training: its fingerprint."""
    state = optimiser.state_dict()
    tensors = {f"network/{name}": weight for name, weight in network.state_dict().items()}
    tensors |= {f"best/{name}": weight for name, weight in (progress.best_weights or {}).items()}
    for index, values in state["state"].items():
        tensors |= {f"optimiser/{index}/{name}": torch.as_tensor(value) for name, value in values.items()}
    tensors |= {"random/order": random.get_state(), "random/torch": torch.get_rng_state()}
    rest = {
        "of": training,
        "epoch": progress.epoch,
        "losses": progress.losses,
        "scores": progress.scores,
        "best_epoch": progress.best_epoch,
    }
    with replacing(path) as temporary:
        save_file({name: value.contiguous() for name, value in tensors.items()}, temporary, {"rest": json.dumps(rest)})


def load_checkpoint(
    path: Path, network: nn.Module, optimiser: Optimizer, random: torch.Generator, training: str
) -> Progress | None:
    """Restore weights and state from a checkpoint of this training; return None if there is no file yet."""
    if not path.is_file():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            parts = _group_by_prefix({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118 - no mapping
            rest = json.loads(file.metadata()["rest"])
        if rest.pop("of") != training:
            raise FileError(OTHER_TRAINING.format(path=path))
        network.load_state_dict(parts["network"])
        state: dict[int, dict[str, Any]] = {}
        for name, value in parts.get("optimiser", {}).items():
            index, kind = name.split("/", 1)
            state.setdefault(int(index), {})[kind] = value
        optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
        random.set_state(parts["random"]["order"])
        torch.set_rng_state(parts["random"]["torch"])
        return Progress(**rest, best_weights=parts.get("best"))
    except FileError:
        raise
    except (SafetensorError, RuntimeError, KeyError, ValueError, TypeError, OSError):
        raise FileError(f"{path}: this is not a checkpoint of such a network: remove it, or name another") from None


def _group_by_prefix(tensors: dict[str, Tensor]) -> dict[str, dict[str, Tensor]]:
    """Return tensors by the first part of their names."""
    parts: dict[str, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        first, rest = name.split("/", 1)
        parts.setdefault(first, {})[rest] = value
    return parts
