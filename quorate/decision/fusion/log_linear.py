"""Log-linear fusion: classifier and votes, each to a power of its own. It is best with gold labels."""

from dataclasses import dataclass, replace

import numpy as np

from quorate.data.votes import Votes
from quorate.decision.base import TAUGHT, Fused, Machines
from quorate.decision.belief import Belief
from quorate.decision.classifier_weights import fit_parts, fit_weight_and_noise, log_machines, machine_prior
from quorate.decision.crowd_em import by_bayes, fit_by_em, vote_scores
from quorate.inference.bayes import clamp_gold
from quorate.inference.crowd_model import Crowd
from quorate.inference.kernels import softmax_rows
from quorate.typing import Array, Gold


@dataclass(frozen=True, kw_only=True)
class LogLinear:
    """Log-linear pooling: a log p_ml + b sum of log C_j[y, vote_j], with a and b fitted.

    Model: P(y | x, votes) is proportional to p_ml(y | x)^a pi(y)^max(0, 1 - a) prod_j C_j[y, vote_j]^b. With gold, a
    and b are MAP estimates from the tasks that have it: their logs are normal around those of `usual`, with deviation
    `spread`. Without gold, a is the power at which the votes are most likely, and b is that of `usual`: as voters err
    together, the power with which votes predict each other best is too high. Several classifiers share a according to
    how well the votes confirm them.

    usual: prior values of a and b. spread: deviation of their logs.

    Use it when: experts have labelled at least a hundred tasks, or there is a classifier that was not trained on these
    votes. No other fusion was seen to beat it then.

    Paper: Genest and Zidek, "Combining probability distributions", 1986.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0]] * 30)
    >>> machines = {"machine": np.array([[0.9, 0.1], [0.2, 0.8]] * 30)}
    >>> fitted = LogLinear().fit(votes, machines, np.arange(60) % 2)  # the classifier is right more often than it says
    >>> fitted.weight > 1
    True
    """

    usual: tuple[float, float] = (0.8, 0.85)
    spread: float = 0.5

    def fit(
        self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None
    ) -> "FusedLogLinear":
        """See Fusion."""
        before = start if isinstance(start, FusedLogLinear) else FusedLogLinear(Crowd.empty(), np.empty(0), *self.usual)
        logs = log_machines(machines, before.parts)
        crowd, common, _ = fit_by_em(
            votes,
            machines,
            lambda common: machine_prior(logs, common, before.weight, before.noise, votes.n_tasks),
            gold,
            start,
        )
        model = FusedLogLinear(crowd, common, before.weight, before.vote_discount)
        if gold is None or not (gold >= 0).any():
            return self._by_votes(model, votes, machines)
        return self._by_gold(model, votes, machines, gold)

    def _by_votes(self, model: "FusedLogLinear", votes: Votes, machines: Machines) -> "FusedLogLinear":
        voted = votes.votes_per_task > 0
        if not machines or not voted.any():
            return model
        scores = self.usual[1] * vote_scores(model.crowd, votes)[voted]
        likelihood = np.exp(scores - scores.max(axis=1, keepdims=True))
        seen = {name: probs[voted] for name, probs in machines.items()}
        parts = fit_parts(seen, model.class_prior, likelihood)
        logs = log_machines(seen, parts)
        assert logs is not None
        weight, noise = fit_weight_and_noise(logs, model.class_prior, likelihood, taught=TAUGHT in machines)
        return replace(model, weight=weight, noise=noise, parts=parts, vote_discount=self.usual[1])

    def _by_gold(self, model: "FusedLogLinear", votes: Votes, machines: Machines, gold: Gold) -> "FusedLogLinear":
        rows = np.flatnonzero(gold >= 0)
        scores = vote_scores(model.crowd, votes)[rows]
        labelled = {name: probs[rows] for name, probs in machines.items()}
        parts = fit_parts(labelled, model.class_prior, np.eye(votes.n_classes)[gold[rows]])
        logs = log_machines(labelled, parts)
        voted = votes.votes_per_task[rows] > 0
        log_usual = np.log(self.usual)

        def loss(powers: Array) -> float:
            weight, vote_discount = np.exp(powers)
            alone = np.log(machine_prior(logs, model.class_prior, weight, 0.0, len(rows)))
            total = 0.0
            for mixed in (alone, (alone + vote_discount * scores)[voted]):  # the classifier alone, and with the votes
                probs = mixed.copy()
                log_sums = softmax_rows(probs)
                answer = gold[rows] if len(mixed) == len(rows) else gold[rows][voted]
                total += float((log_sums - mixed[np.arange(len(mixed)), answer]).sum())
            return total / 2 + float(np.square((powers - log_usual) / self.spread).sum() / 2)

        from scipy.optimize import minimize  # slow to import: a service that only decides does not need it

        result = minimize(loss, log_usual, method="Nelder-Mead", options={"xatol": 0.01, "fatol": 0.01})
        weight, vote_discount = np.exp(result.x)
        return replace(model, weight=float(weight), vote_discount=float(vote_discount), parts=parts)


@dataclass(frozen=True, eq=False)
class FusedLogLinear:
    """A fitted LogLinear.

    Attributes:
        crowd: confusion matrices of the workers.
        class_prior: (n_classes,), how common each class is.
        weight: power of the classifiers (a), see `machine_prior`.
        vote_discount: power of the votes (b).
        noise: noise rate of the classifiers, see `machine_prior`.
        parts: weight of each of several classifiers in their mean; None = all equal.
    """

    crowd: Crowd
    class_prior: Array
    weight: float = 1.0
    vote_discount: float = 1.0
    noise: float = 0.0
    parts: Array | None = None

    def prior(self, machines: Machines, n_tasks: int) -> Array:
        """Return the probability of each class before the votes: (n_tasks, n_classes)."""
        return machine_prior(log_machines(machines, self.parts), self.class_prior, self.weight, self.noise, n_tasks)

    def posterior(self, votes: Votes, machines: Machines, gold: Gold | None = None) -> Array:
        """See Fused."""
        return clamp_gold(by_bayes(self.crowd, votes, self.prior(machines, votes.n_tasks), self.vote_discount), gold)

    def belief(self, votes: Votes, machines: Machines) -> Belief:
        """See Fused."""
        return Belief.plain(self.posterior(votes, machines), self.crowd.next, self.vote_discount)
