"""Where a training stands, and how it is kept in a file to go on from: safetensors and JSON, nothing that could run."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.optim import Optimizer

from quorate.errors import FileError
from quorate.io.files import replacing


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


def save_checkpoint(
    path: Path, network: nn.Module, optimiser: Optimizer, random: torch.Generator, progress: Progress
) -> None:
    """Write everything that training needs to go on."""
    state = optimiser.state_dict()
    tensors = {f"network/{name}": weight for name, weight in network.state_dict().items()}
    tensors |= {f"best/{name}": weight for name, weight in (progress.best_weights or {}).items()}
    for place, values in state["state"].items():
        tensors |= {f"optimiser/{place}/{name}": torch.as_tensor(value) for name, value in values.items()}
    tensors |= {"random/order": random.get_state(), "random/torch": torch.get_rng_state()}
    rest = {
        "epoch": progress.epoch,
        "losses": progress.losses,
        "scores": progress.scores,
        "best_epoch": progress.best_epoch,
    }
    with replacing(path) as temporary:
        save_file({name: value.contiguous() for name, value in tensors.items()}, temporary, {"rest": json.dumps(rest)})


def load_checkpoint(path: Path, network: nn.Module, optimiser: Optimizer, random: torch.Generator) -> Progress | None:
    """Put a checkpoint's weights and state in place; None where there is no file yet."""
    if not path.is_file():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            parts = _by_first({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118 - no mapping
            rest = json.loads(file.metadata()["rest"])
        network.load_state_dict(parts["network"])
        state: dict[int, dict[str, Any]] = {}
        for name, value in parts.get("optimiser", {}).items():
            place, kind = name.split("/", 1)
            state.setdefault(int(place), {})[kind] = value
        optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
        random.set_state(parts["random"]["order"])
        torch.set_rng_state(parts["random"]["torch"])
    except (SafetensorError, RuntimeError, KeyError, ValueError, TypeError, OSError):
        raise FileError(f"{path}: this is no checkpoint of such a network: remove it, or name another") from None
    return Progress(**rest, best_weights=parts.get("best"))


def _by_first(tensors: dict[str, Tensor]) -> dict[str, dict[str, Tensor]]:
    """Tensors by the first part of their names."""
    parts: dict[str, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        first, rest = name.split("/", 1)
        parts.setdefault(first, {})[rest] = value
    return parts
