"""Label smoothing of the most likely class."""

from dataclasses import dataclass
from typing import Literal

from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.learning.targets.base import Targets, labelled_tasks, one_hot, per_task

Over = Literal["all", "others"]


@dataclass(frozen=True, kw_only=True)
class Smoothed:
    """Label smoothing: `alpha` is taken from the most likely class and spread over all classes, or over the others.

    over: "all" gives alpha / L to every class, and 1 - alpha more to the most likely one (equation 4 of the paper);
    "others" gives alpha / (L - 1) to each of the other classes.
    Paper: Szegedy et al., "Rethinking the Inception architecture for computer vision", 2016.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> Smoothed(alpha=0.1).make(votes, aggregate(votes)).probs.round(3).tolist()
    [[0.95, 0.05], [0.05, 0.95]]
    """

    alpha: float = 0.1
    over: Over = "all"

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "alpha", at_least=0, below=1)

    def make(self, votes: Votes, posterior: Posterior) -> Targets:
        """Return targets for all tasks with votes or a certain posterior."""
        hard = one_hot(posterior.labels, votes.n_classes)
        n_classes = votes.n_classes
        if self.over == "all":
            probs = (1 - self.alpha) * hard + self.alpha / n_classes
        else:
            probs = (1 - self.alpha) * hard + self.alpha / (n_classes - 1) * (1 - hard)
        return per_task(probs, labelled_tasks(votes, posterior))
