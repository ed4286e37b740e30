"""Recipe: the options of the training of a network."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from quorate.data.option_checks import require_choices, require_numbers, require_part
from quorate.errors import MethodError
from quorate.learning.steps.plain import Plain
from quorate.learning.training.schedules import Constant, Schedule

Optimiser = Literal["adam", "adamw", "sgd"]
Balance = Literal["none", "resample", "reweight"]
Record = Literal["pass", "after"]
Metric = Literal["log_loss", "accuracy", "macro_f1"]
AUGMENTATIONS = ("flip", "shear", "crop")


class Step(Protocol):
    """The update of the weights for a batch (see `steps/`)."""

    def take(self, compute: Callable[[], tuple[Any, Any]], optimiser: Any) -> tuple[Any, Any]:
        """Update the weights; return the result of `compute`: the loss, and the log-probabilities of the batch."""
        ...


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Options of the training of a network.

    Args:
        epochs: number of epochs at most.
        batch_size: number of examples in a batch.
        optimiser: "adam", "adamw" or "sgd" (with momentum).
        lr: full learning rate.
        weight_decay: of the weights of layers; biases and tables of workers do not decay.
        momentum: of "sgd".
        schedule: share of the learning rate in each epoch (see `schedules`).
        step: a plain step, Sam or AdaptiveSam.
        mixup: a of the Beta(a, a) from which shares are drawn; 0: no mixup.
        balance: "resample" draws rare classes as often as common ones, "reweight" gives them the same total weight.
        augment: any of "flip", "shear", "crop", for images.
        record: "pass" takes the trace from the training pass, "after" from a second pass in evaluation mode; with mixup
            or augmentation, which change the items, it is always the second pass.
        patience: epochs without a better score on validation after which training stops; 0: never. The best weights are
            kept.
        metric: score on validation gold; on validation votes it is always their likelihood.
        threads: 0: one on machines with up to two processors, otherwise half of them.
        checkpoint: file from which an interrupted fit is resumed; "": none. Learners inside others write none. When a
            training is resumed, `on_epoch` only receives the remaining epochs.
        every: epochs between two checkpoints.
    """

    epochs: int = 100
    batch_size: int = 64
    optimiser: Optimiser = "adamw"
    lr: float = 1e-3
    weight_decay: float = 0.0
    momentum: float = 0.9
    schedule: Schedule = field(default_factory=Constant)
    step: Step = field(default_factory=Plain)
    mixup: float = 0.0
    balance: Balance = "none"
    augment: tuple[str, ...] = ()
    record: Record = "pass"
    patience: int = 0
    metric: Metric = "log_loss"
    threads: int = 0
    checkpoint: str = ""
    every: int = 10

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "epochs", "batch_size", "every", at_least=1)
        require_numbers(self, "weight_decay", "mixup", "patience", "threads", "momentum", at_least=0)
        require_numbers(self, "lr", above=0)
        require_part("schedule", self.schedule, "Cosine()", "rate")
        require_part("step", self.step, "Sam()", "take")
        augment: Any = self.augment
        if not isinstance(augment, tuple | list):
            raise MethodError(f"augment must be a tuple, such as ('flip',), got {augment!r}")
        for kind in augment:
            if kind not in AUGMENTATIONS:
                raise MethodError(f"there is no augmentation {kind!r}: choose from {', '.join(AUGMENTATIONS)}")
