"""GLAD: ability of workers and difficulty of tasks."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from quorate.data.ids import lookup
from quorate.data.option_checks import require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import VotesError
from quorate.inference.bayes import PriorKnowledge, require_same_classes
from quorate.inference.kernels import vote_passes
from quorate.inference.progress import report_round
from quorate.typing import Array


@dataclass(frozen=True, eq=False)
class AbilityModel:
    """Ability of each worker (n_workers + 1, the pool's last) and easiness of each task (n_tasks, 1 / difficulty)."""

    ability: Array
    easiness: Array
    n_classes: int

    @cached_property
    def typical_easiness(self) -> float:
        """Geometric mean of the easiness of all tasks."""
        return float(np.exp(np.log(self.easiness).mean())) if len(self.easiness) else 1.0

    def log_likelihood(self, worker: ArrayLike, observed: ArrayLike) -> Array:
        """See WorkerModel. A task of typical easiness is assumed."""
        logit = self.ability[np.asarray(worker)][..., None] * self.typical_easiness
        hit = np.asarray(observed)[..., None] == np.arange(self.n_classes)
        return np.where(hit, -np.logaddexp(0, -logit), -np.logaddexp(0, logit) - np.log(self.n_classes - 1))


@dataclass(frozen=True, kw_only=True)
class Glad:
    """GLAD: an ability per worker and a difficulty per task determine how likely a vote is right.

    Model: P(label = true class) = sigmoid(a_j * b_i), and a wrong label is equally likely for all other classes; a_j is
    the ability of worker j, 1 / b_i the difficulty of task i; a_j ~ Normal(1, 1), log b_i ~ Normal(0, 1). The class
    prior is uniform unless a prior is given. All a and b together maximise the marginal posterior, by L-BFGS.

    Use it when: tasks differ a lot in difficulty and have several votes each, and you want to know which are hard.

    Paper: Whitehill et al., "Whose vote should count more: optimal integration of labels from labelers of unknown
    expertise", NeurIPS 2009; with more than two classes as in Lefort et al., TMLR 2024, appendix A.5.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1], [0, 0, 1]])
    >>> Glad().aggregate(votes).labels.tolist()
    [0, 1, 0, 1, 0]
    """

    max_rounds: int = 200
    tol: float = 1e-7

    def __post_init__(self) -> None:
        require_numbers(self, "max_rounds", at_least=1)

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        """See Aggregator."""
        return self._fit(_Problem(votes, PriorKnowledge.of(votes, prior, gold)), votes)

    def partial(
        self, votes: Votes, fitted: Posterior, prior: ArrayLike | None = None, gold: ArrayLike | None = None
    ) -> Posterior:
        """See Incremental."""
        problem = _Problem(votes, PriorKnowledge.of(votes, prior, gold))
        require_same_classes(votes, fitted)
        model = fitted.worker_model
        if not isinstance(model, AbilityModel):
            raise VotesError("glad can only continue from a posterior by glad: leave out `fitted` to start again")
        ability = model.ability[np.append(lookup(votes.workers, fitted.workers), -1)]
        task = lookup(votes.tasks, fitted.tasks)
        easiness = np.where(task < 0, model.typical_easiness, np.append(model.easiness, 1.0)[task])
        problem.start = problem.scale * np.concatenate([ability, np.log(easiness)])
        return self._fit(problem, votes)

    def _fit(self, problem: "_Problem", votes: Votes) -> Posterior:
        from scipy.optimize import minimize  # slow to import: loaded on first use

        objective: list[float] = []

        def on_round(intermediate_result: Any) -> None:
            objective.append(-float(intermediate_result.fun))
            report_round(len(objective), self.max_rounds)

        options = {"maxiter": self.max_rounds, "ftol": self.tol, "gtol": 1e-8, "maxcor": 20}
        best = minimize(problem.loss, problem.start, jac=True, method="L-BFGS-B", callback=on_round, options=options)
        ability, easiness = problem.unpack(best.x)
        if len(votes):
            ability[votes.votes_per_voter == 0] = votes.votes_per_voter @ ability / len(votes)
        return Posterior.of(
            votes,
            problem.posterior(best.x),
            class_prior=problem.class_prior,
            worker_model=AbilityModel(ability, easiness, votes.n_classes),
            objective=objective,
            converged=bool(best.success),
        )


class _Problem:
    """Negative log-posterior of GLAD and its gradient, as a function of abilities and log easiness.

    Parameters are scaled by the root of their expected curvature, which saves L-BFGS most of its rounds.
    """

    def __init__(self, votes: Votes, knowledge: PriorKnowledge) -> None:
        self.knowledge, self.passes = knowledge, vote_passes(votes)
        self.class_prior = knowledge.uniform_prior(votes.n_classes)
        self.log_prior = knowledge.log_prior(self.class_prior)
        self.n_abilities = votes.n_workers + 1
        self.scale = np.sqrt(1 + np.concatenate([votes.votes_per_voter, votes.votes_per_task]) / 4)
        self.start = self.scale * np.concatenate([np.ones(self.n_abilities), np.zeros(votes.n_tasks)])

    def unpack(self, scaled: Array) -> tuple[Array, Array]:
        """Return (ability, easiness), given scaled parameters."""
        ability, log_easiness = np.split(scaled / self.scale, [self.n_abilities])
        return ability, np.exp(log_easiness)

    def posterior(self, scaled: Array) -> Array:
        """Return the posterior of the tasks."""
        ability, easiness = self.unpack(scaled)
        probs = np.empty((len(easiness), len(self.class_prior)))
        self.passes.edge_pass(ability, easiness, self.log_prior, out=probs)
        return self.knowledge.clamp(probs)

    def loss(self, scaled: Array) -> tuple[float, Array]:
        """Return the negative log-posterior and its gradient."""
        ability, easiness = self.unpack(scaled)
        log_easiness = np.log(easiness)
        evidence, by_worker, by_task = self.passes.edge_pass(ability, easiness, self.log_prior)
        gradient = np.concatenate([by_worker - (ability - 1), by_task * easiness - log_easiness])
        log_prior = -((ability - 1) ** 2).sum() / 2 - (log_easiness**2).sum() / 2
        return -(evidence + log_prior), -gradient / self.scale
