"""Protocols of the parts of a network: base, head, target and loss, each with its own folder."""

from typing import Any, Protocol

from torch import nn

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.learning.heads.base import Crowd
from quorate.learning.losses.base import Criterion
from quorate.learning.targets.base import Targets
from quorate.learning.training.rows import Rows
from quorate.typing import Array


class Base(Protocol):
    """The layers that read the items (see `bases/`)."""

    def learn(self, x: Any) -> dict[str, Any]:
        """Return what `build` and `rows` need to know about x, such as the number of features: plain JSON."""
        ...

    def build(self, spec: dict[str, Any]) -> nn.Module:
        """Return the layers below the head; their `size` is the number of features that they return."""
        ...

    def rows(self, x: Any, spec: dict[str, Any]) -> Rows:
        """Return checked items in the form that the layers take."""
        ...


class Head(Protocol):
    """The layers that predict classes, and votes of workers (see `heads/`)."""

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """Return the layers above a base with `size` features.

        They have `log_probs(features)` and `forward(features, batch, criterion)`; with a model of workers also
        `vote_log_probs(log_probs, item, worker)`; if they are trained in two phases also `second_phase(recipe)`.
        """
        ...


class Target(Protocol):
    """The targets of a network (see `targets/`)."""

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        """Return the targets from votes and their posterior."""
        ...


class Loss(Protocol):
    """The distance of a prediction from its target (see `losses/`)."""

    def build(self, class_counts: Array | None) -> Criterion:
        """Return the loss; class_counts: total of each class in the targets, (n_classes,)."""
        ...
