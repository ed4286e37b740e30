"""Plain Bayes' rule: the classifier's probability times the likelihood of the votes."""

from dataclasses import dataclass

from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines
from quorate.decision.classifier_weights import log_machines, machine_prior
from quorate.decision.crowd_em import fit_by_em
from quorate.decision.fusion.log_linear import FusedLogLinear
from quorate.typing import Gold


@dataclass(frozen=True, kw_only=True)
class Product:
    """Bayes' rule with the classifier as the prior of each task and independent votes.

    Model: P(y | x, votes) = p_ml(y | x) prod_j C_j[y, vote_j] / sum over y. It is too confident, as classifiers are
    overconfident and voters err together.

    Use it when: you want the textbook's rule for a comparison.

    Paper: Dawid and Skene, 1979, with the classifier as the prior of each task.

    >>> import numpy as np
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]])
    >>> machines = {"machine": np.array([[0.9, 0.1], [0.4, 0.6], [0.8, 0.2], [0.1, 0.9]])}
    >>> Product().fit(votes, machines).posterior(votes, machines).argmax(axis=1).tolist()
    [0, 1, 0, 1]
    """

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> FusedLogLinear:
        """See Fusion."""
        logs = log_machines(machines)
        crowd, common, _ = fit_by_em(
            votes, machines, lambda common: machine_prior(logs, common, 1.0, 0.0, votes.n_tasks), gold, start
        )
        return FusedLogLinear(crowd, common)
