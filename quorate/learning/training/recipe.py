"""Recipe: how a network is trained."""

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
    """How the weights move for a batch (see `steps/`)."""

    def take(self, compute: Callable[[], tuple[Any, Any]], optimiser: Any) -> tuple[Any, Any]:
        """Move the weights; returns what `compute` did: the loss, and the log-probabilities of the batch."""
        ...


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a network is trained.

    optimiser: "adam", "adamw" or "sgd" (with momentum). schedule: how the rate goes (see `schedules`).
    step: a plain step, Sam or AdaptiveSam. mixup: a of the Beta(a, a) that shares are drawn from; 0: nothing is mixed.
    balance: "resample" draws rare classes as often as common ones, "reweight" lets them count as much.
    augment: of images, any of "flip", "shear", "crop".
    record: the trace is taken from the pass that trains ("pass"), or by a second one in evaluation mode ("after");
    where mixup or augmentation changes the items, always by a second one.
    patience: epochs without a better score on validation before training stops; 0: never. The best weights are kept.
    metric: what is better on validation gold; on validation votes it is always their likelihood.
    threads: 0 takes one on machines of up to two processors, else half of them.
    checkpoint: a file to go on from where a fit was stopped; "" for none. A learner inside another keeps none. When a
    training goes on, `on_epoch` hears of the epochs that are left only. every: epochs between two checkpoints.
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
