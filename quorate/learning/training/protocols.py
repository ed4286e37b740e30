"""What a network is made of: a base, a head, a target and a loss, each in a folder of its own."""

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
    """What a network sees (see `bases/`)."""

    def learn(self, x: Any) -> dict[str, Any]:
        """What must be known of x to build the network, such as how many features there are: plain JSON."""
        ...

    def build(self, known: dict[str, Any]) -> nn.Module:
        """The network below the head; `size` is how many features come out of it."""
        ...

    def rows(self, x: Any, known: dict[str, Any]) -> Rows:
        """Items as the network takes them, checked."""
        ...


class Head(Protocol):
    """How a network explains what it is taught (see `heads/`)."""

    def build(self, size: int, crowd: Crowd) -> nn.Module:
        """The layers above a base with so many features.

        They have `log_probs(features)` and `forward(features, batch, criterion)`; those of heads that know workers also
        `vote_log_probs(log_probs, item, worker)`; those trained in two phases `second_phase()`.
        """
        ...


class Target(Protocol):
    """What a network is taught (see `targets/`)."""

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        """Targets from votes and their posterior."""
        ...


class Loss(Protocol):
    """How far a prediction is from its target (see `losses/`)."""

    def build(self, class_counts: Array | None) -> Criterion:
        """The loss; class_counts: how much of each class is taught."""
        ...
