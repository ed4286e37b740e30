"""The classifier's label as one more vote."""

from dataclasses import dataclass

import numpy as np

from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines
from quorate.decision.belief import Belief
from quorate.decision.crowd_em import by_bayes, fit_by_em
from quorate.inference.bayes import clamp_gold
from quorate.inference.crowd_model import Crowd
from quorate.typing import Array, Gold


@dataclass(frozen=True, kw_only=True)
class MlAsAnnotator:
    """Each classifier votes for its most probable class, and has a confusion matrix like any worker.

    Model: Dawid and Skene over workers and classifiers. The confidence of the classifier is lost.

    Use it when: a classifier gives labels without probabilities; otherwise every other fusion was seen to do better.

    Paper: Goh et al., "CROWDLAB", 2022, compare with it.

    >>> votes = Votes.from_matrix([[0, 0], [1, 1], [0, -1], [-1, -1]])
    >>> machines = {"machine": np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3], [0.1, 0.9]])}
    >>> MlAsAnnotator().fit(votes, machines).posterior(votes, machines).argmax(axis=1).tolist()
    [0, 1, 0, 1]
    """

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> "FusedAnnotators":
        """See Fusion."""
        together = with_machines(votes, machines)
        shape = (votes.n_tasks, votes.n_classes)
        before = None
        if isinstance(start, FusedAnnotators):
            before = FusedAnnotators(start.crowd, start.class_prior)
        crowd, common, _ = fit_by_em(together, {}, lambda common: np.broadcast_to(common, shape), gold, before)
        return FusedAnnotators(crowd, common)


@dataclass(frozen=True, eq=False)
class FusedAnnotators:
    """A fitted MlAsAnnotator; classifiers are among the workers."""

    crowd: Crowd
    class_prior: Array

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        together = with_machines(votes, machines)
        prior = np.broadcast_to(self.class_prior, (votes.n_tasks, votes.n_classes))
        return clamp_gold(by_bayes(self.crowd, together, prior), gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused."""
        return Belief.plain(self.posterior(votes, machines), self.crowd.next)


def with_machines(votes: Votes, machines: Machines) -> Votes:
    """Return the votes with one more vote of every classifier on every task."""
    together = votes
    for name, probs in machines.items():
        own = Votes(
            task=np.arange(votes.n_tasks),
            worker=np.zeros(votes.n_tasks, dtype=np.int64),
            label=probs.argmax(axis=1),
            tasks=votes.tasks,
            workers=np.array([f"machine {name}"], dtype=object),
            classes=votes.classes,
        )
        together = together.merge(own)
    return together
