"""Where a training stands, and how it is kept in a file to go on from: safetensors and JSON, nothing that could run."""

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

OTHER = "{path}: this is the checkpoint of another training (other votes, items, options or seed): remove it"
ROWS = 4096  # items that are looked at at a time


@dataclass
class Progress:
    """Where a training stands: epochs done, the loss and score of each, and the best weights so far."""

    epoch: int = 0
    losses: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    best_epoch: int = 0
    best_weights: dict[str, Tensor] | None = None

    def judged(self, score: float, network: nn.Module) -> None:
        """Take down the score of an epoch, and the weights where it is the best."""
        if not self.scores or score > max(self.scores):
            self.best_epoch = self.epoch
            self.best_weights = {name: weight.clone() for name, weight in network.state_dict().items()}
        self.scores.append(score)


def fingerprint(network: nn.Module, examples: Examples, recipe: Recipe, seed: int, what: str) -> str:
    """What tells one training from another: how the network starts, what it is taught, and how.

    what: a text that differs where anything else does, such as the loss.
    A training may go on for more epochs, or with more patience or threads, than it began with.
    """
    free = replace(recipe, epochs=1, patience=0, threads=0, checkpoint="", every=1)
    digest = sha256(f"{seed} {free} {what}".encode())
    taught = (examples.task, examples.target, examples.weight, examples.first_vote, examples.worker, examples.label)
    parts = torch.arange(len(examples.rows)).split(ROWS)
    items = (tensor for part in parts for tensor in _tensors(examples.rows.take(part)))
    for tensor in chain(network.state_dict().values(), taught, items):
        digest.update(f"{tensor.dtype} {tuple(tensor.shape)} ".encode())
        digest.update(tensor.contiguous().numpy().tobytes())
    return digest.hexdigest()


def _tensors(x: Any) -> list[Tensor]:
    """The tensors in items as a base takes them."""
    if isinstance(x, Tensor):
        return [x]
    parts = x if isinstance(x, tuple) else vars(x).values() if hasattr(x, "__dict__") else ()
    return [tensor for part in parts for tensor in _tensors(part)]


def save_checkpoint(
    path: Path, network: nn.Module, optimiser: Optimizer, random: torch.Generator, progress: Progress, of: str
) -> None:
    """Write everything that training needs to go on; of: its fingerprint."""
    state = optimiser.state_dict()
    tensors = {f"network/{name}": weight for name, weight in network.state_dict().items()}
    tensors |= {f"best/{name}": weight for name, weight in (progress.best_weights or {}).items()}
    for place, values in state["state"].items():
        tensors |= {f"optimiser/{place}/{name}": torch.as_tensor(value) for name, value in values.items()}
    tensors |= {"random/order": random.get_state(), "random/torch": torch.get_rng_state()}
    rest = {
        "of": of,
        "epoch": progress.epoch,
        "losses": progress.losses,
        "scores": progress.scores,
        "best_epoch": progress.best_epoch,
    }
    with replacing(path) as temporary:
        save_file({name: value.contiguous() for name, value in tensors.items()}, temporary, {"rest": json.dumps(rest)})


def load_checkpoint(
    path: Path, network: nn.Module, optimiser: Optimizer, random: torch.Generator, of: str
) -> Progress | None:
    """Put a checkpoint's weights and state in place, if it is of this training; None where there is no file yet."""
    if not path.is_file():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            parts = _by_first({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118 - no mapping
            rest = json.loads(file.metadata()["rest"])
        if rest.pop("of") != of:
            raise FileError(OTHER.format(path=path))
        network.load_state_dict(parts["network"])
        state: dict[int, dict[str, Any]] = {}
        for name, value in parts.get("optimiser", {}).items():
            place, kind = name.split("/", 1)
            state.setdefault(int(place), {})[kind] = value
        optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
        random.set_state(parts["random"]["order"])
        torch.set_rng_state(parts["random"]["torch"])
        return Progress(**rest, best_weights=parts.get("best"))
    except FileError:
        raise
    except (SafetensorError, RuntimeError, KeyError, ValueError, TypeError, OSError):
        raise FileError(f"{path}: this is no checkpoint of such a network: remove it, or name another") from None


def _by_first(tensors: dict[str, Tensor]) -> dict[str, dict[str, Tensor]]:
    """Tensors by the first part of their names."""
    parts: dict[str, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        first, rest = name.split("/", 1)
        parts.setdefault(first, {})[rest] = value
    return parts
