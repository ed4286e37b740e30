"""A weighted mean of the crowd's posterior and the classifier's probabilities."""

from dataclasses import dataclass, replace

import numpy as np

from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines
from quorate.decision.classifier_weights import log_machines, machine_prior
from quorate.decision.crowd_em import vote_scores
from quorate.decision.fusion.average import FusedAverage, fit_crowd_alone
from quorate.typing import Gold

SHARES = tuple(round(share, 2) for share in np.linspace(0, 1, 21).tolist())


@dataclass(frozen=True, kw_only=True)
class WeightedAverage:
    """A weighted mean of the crowd's posterior and the classifier: P = w P_ml + (1 - w) P_crowd; P_ml before any vote.

    Model: with gold, w maximises the likelihood of the gold labels (a prior around one half counts as ten of them).
    Otherwise w = c / (1 + c), where c is the share of tasks on which the classifier knows the answer, estimated from
    the votes: a classifier that agrees with people weighs as much as they do, and one that guesses weighs nothing.

    Use it when: you want to reproduce the paper's figures.

    Paper: "Hybrid classification services" (paper A), footnote 4.

    >>> votes = Votes.from_matrix([[0, 0, 0], [1, 1, 1]] * 20)
    >>> machines = {"machine": np.array([[0.1, 0.9], [0.1, 0.9]] * 20)}  # the same for every task
    >>> WeightedAverage().fit(votes, machines).weight < 0.2
    True
    """

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> FusedAverage:
        """See Fusion."""
        crowd, common = fit_crowd_alone(votes, gold, start)
        model = FusedAverage(crowd, common, 0.0)
        logs = log_machines(machines)
        if logs is None:
            return model
        by_machine = machine_prior(logs, common, 1.0, 0.0, votes.n_tasks)
        voted = votes.votes_per_task > 0
        if gold is not None and (voted & (gold >= 0)).any():
            rows = np.flatnonzero(voted & (gold >= 0))
            truth = gold[rows]
            machine = by_machine[rows, truth]
            people = model.posterior(votes.subset(tasks=rows), {})[np.arange(len(rows)), truth]
            scores = [np.log(w * machine + (1 - w) * people + 1e-9).sum() - 40 * (w - 0.5) ** 2 for w in SHARES]
            return replace(model, weight=SHARES[int(np.argmax(scores))])
        likelihood = np.exp(vote_scores(crowd, votes)[voted])
        informed, guessed = (by_machine[voted] * likelihood).sum(axis=1), likelihood @ common
        scores = [np.log(c * informed + (1 - c) * guessed).sum() for c in SHARES]
        share = SHARES[int(np.argmax(scores))]
        return replace(model, weight=share / (1 + share))
