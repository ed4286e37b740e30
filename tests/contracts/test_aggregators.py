"""Every aggregator that is found keeps every promise; and every promise is seen to be broken by a bad one."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from quorate import Votes, registry
from quorate.aggregation.dawid_skene import DawidSkene
from quorate.aggregation.majority import Majority
from quorate.aggregation.naive_soft import NaiveSoft
from quorate.aggregation.one_coin import OneCoin
from quorate.data.ids import as_names
from quorate.data.posterior import Posterior
from quorate.data.worker_models import Coin
from quorate.protocols import Aggregator
from tests.contracts import aggregator_contract as contract

METHODS = [registry.method("aggregation", name) for name in registry.names("aggregation")]
VARIANTS = [DawidSkene(shrink="none"), DawidSkene(shrink="diagonal"), OneCoin(strength=0.5)]


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("method", [*METHODS, *VARIANTS], ids=str)
def test_contract(method: Aggregator, check: contract.Check) -> None:
    check(method)


@dataclass
class Broken:
    """Naive soft votes with one fault."""

    fault: str
    calls: int = 0

    def aggregate(self, votes: Votes, prior: ArrayLike | None = None, gold: ArrayLike | None = None) -> Posterior:
        self.calls += 1
        self._crash(votes, prior)
        if self.fault == "no checks":
            prior, gold = None, None
        if self.fault == "deaf to prior":
            empty = votes.votes_per_task == 0
            posterior = NaiveSoft().aggregate(votes, gold=gold)
            if prior is not None:
                posterior.probs[empty] = np.asarray(prior)[empty]
            return posterior
        if self.fault == "writes into prior" and isinstance(prior, np.ndarray):
            prior *= 0.5
            prior[:, 0] += 0.5
        if self.fault == "gold only by votes" and gold is not None:
            gold = np.where(votes.votes_per_task > 0, gold, -1)
        good = NaiveSoft().aggregate(votes, prior=prior, gold=None if self.fault == "deaf to gold" else gold)
        return self._spoil(good, votes)

    def _crash(self, votes: Votes, prior: ArrayLike | None) -> None:
        crashes = {
            "anonymous crash": np.any(votes.worker < 0),
            "one worker crash": votes.n_workers == 1,
            "128 crash": votes.n_workers == 128,
            "no votes crash": not len(votes),
            "refuses zeros": prior is not None and np.any(np.asarray(prior) == 0),
        }
        assert not crashes.get(self.fault, False)

    def partial(
        self, votes: Votes, fitted: Posterior, prior: ArrayLike | None = None, gold: ArrayLike | None = None
    ) -> Posterior:
        whole = self.aggregate(votes, prior, gold)
        if self.fault == "forgets new tasks":
            new = ~np.isin(votes.tasks, fitted.tasks)
            whole.probs[new] = np.roll(whole.probs[new], 1, axis=1)
        return replace(whole, objective=np.zeros(50)) if self.fault == "starts over" else whole

    def _spoil(self, good: Posterior, votes: Votes) -> Posterior:
        spoilt: dict[str, Any] = {
            "rows do not sum": {"probs": good.probs * 0.9},
            "other names": {"tasks": as_names([f"x{task}" for task in votes.tasks.tolist()])},
            "random": {"probs": np.random.default_rng(self.calls).dirichlet(np.ones(votes.n_classes), votes.n_tasks)},
            "fond of the first class": {"probs": (good.probs + np.eye(votes.n_classes)[0]) / 2},
            "last vote wins": {"probs": _last_vote(votes)},
            "uniform where empty": {"probs": np.where(_empty(votes), 1 / votes.n_classes, good.probs)},
            "contrary": {"probs": (1 - good.probs) / (votes.n_classes - 1)},
            "falling objective": {"objective": np.array([-3.0, -1.0, -2.0])},
            "counts idle workers": {"probs": _towards_even(good.probs, votes.n_workers / 5000)},
            "counts empty tasks": {"probs": _towards_even(good.probs, votes.n_tasks / 9000)},
            "certain of nothing": {"probs": np.where(good.probs == 1, np.nan, good.probs)},
            "idle are perfect": {"worker_model": _with_perfect_idle(votes)},
        }
        return replace(good, **spoilt.get(self.fault, {}))


def _towards_even(probs: Any, share: float) -> Any:
    return probs * (1 - share) + share / probs.shape[1]


def _with_perfect_idle(votes: Votes) -> Coin:
    return Coin(np.append(np.where(votes.votes_per_worker == 0, 0.99, 0.7), 0.7), votes.n_classes)


def _empty(votes: Votes) -> Any:
    return (votes.votes_per_task == 0)[:, None]


def _last_vote(votes: Votes) -> Any:
    probs = np.full((votes.n_tasks, votes.n_classes), 1 / votes.n_classes)
    probs[votes.task] = 0
    for task, label in zip(votes.task, votes.label, strict=True):
        probs[task] = np.eye(votes.n_classes)[label]
    return probs


BROKEN_BY = {
    "gives_a_row_of_probabilities_per_task": "rows do not sum",
    "carries_the_names": "other names",
    "gives_the_same_twice": "random",
    "follows_a_renaming_of_classes": "fond of the first class",
    "ignores_the_order_of_votes": "last vote wins",
    "gives_tasks_without_votes_their_prior": "uniform where empty",
    "listens_to_the_prior": "deaf to prior",
    "takes_one_worker": "one worker crash",
    "takes_anonymous_votes": "anonymous crash",
    "believes_unanimous_votes": "contrary",
    "respects_gold": "deaf to gold",
    "respects_gold_where_there_are_no_votes": "gold only by votes",
    "takes_no_votes_at_all": "no votes crash",
    "takes_classes_that_nobody_named": "certain of nothing",
    "counts_any_number_of_workers": "128 crash",
    "ignores_workers_who_never_voted": "counts idle workers",
    "ignores_tasks_without_votes": "counts empty tasks",
    "has_a_model_of_workers_that_holds": "idle are perfect",
    "never_lets_its_objective_fall": "falling objective",
    "takes_a_prior_with_zeros": "refuses zeros",
    "keeps_its_labels_when_it_is_calibrated": "random",
    "refuses_what_does_not_fit": "no checks",
    "leaves_its_input_alone": "writes into prior",
    "goes_on_from_a_fitted_posterior": "forgets new tasks",
    "goes_on_from_its_own_end": "starts over",
}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_contract_bites(check: contract.Check) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        check(Broken(BROKEN_BY[check.__name__]))


def test_contract_lets_a_good_method_pass() -> None:
    for check in contract.CHECKS:
        check(Broken("none"))
        check(Majority())
