"""Every score that is found keeps every promise; and every promise is seen to be broken by a bad score."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.ambiguity.uncertainty import Uncertainty
from quorate.data.posterior import Posterior
from quorate.protocols import Agreement, WorkerScorer
from quorate.quality.agreement.pairwise_agreement import PairwiseAgreement
from quorate.quality.workers.accuracy import Accuracy
from quorate.quality.workers.confusion_trace import ConfusionTrace
from quorate.quality.workers.consensus_agreement import ConsensusAgreement
from quorate.quality.workers.glad_ability import GladAbility
from quorate.quality.workers.spam_score import SpamScore
from tests.contracts import score_contract as contract
from tests.crowds import small_crowd
from tests.quality.agreement.scored import score

FOUND = [pytest.param(kind, scorer, id=str(scorer)) for kind in contract.KINDS for scorer in kind.scorers()]
GOOD: dict[str, contract.Scorer] = {
    contract.WORKERS.folder: ConsensusAgreement(),
    contract.ITEMS.folder: Uncertainty(),
    contract.AGREEMENT.folder: PairwiseAgreement(),
}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("kind", "scorer"), FOUND)
def test_contract(kind: contract.Kind, scorer: contract.Scorer, check: contract.Check) -> None:
    check(kind, scorer)


@dataclass
class Broken:
    """A good score with one fault."""

    kind: contract.Kind
    fault: str
    calls: int = 0
    reads: str = "votes"

    @property
    def ambiguous(self) -> str:
        return "low" if self.fault == "wrong end" else "high"

    def score(self, votes: Votes, posterior: Posterior, trace: Any = None) -> Any:
        self.calls += 1
        good = GOOD[self.kind.folder]
        score = np.atleast_1d(np.asarray(good.score(votes, posterior), dtype=np.float64))
        crashes = {
            "one worker crash": votes.n_workers == 1,
            "anonymous crash": bool(np.any(votes.worker < 0)),
            "no votes crash": not len(votes),
            "no times crash": votes.seconds is None and len(votes) > 100,
            "absent class crash": votes.n_classes == 3,
        }
        if crashes.get(self.fault):
            raise AssertionError(self.fault)
        if self.fault == "writes into probs":
            posterior.probs[0] = posterior.probs[0][::-1].copy() * 0.5
        spoilt: dict[str, Callable[[], Any]] = {
            "infinite": lambda: score + np.inf,
            "knows nothing": lambda: score * np.nan,
            "knows all": lambda: np.nan_to_num(score),
            "random": lambda: score + np.random.default_rng(self.calls).random(),
            "fond of the first class": lambda: score + np.mean(votes.label == 0),
            "first vote counts": lambda: score + votes.task[:1].sum(),
            "counts idle workers": lambda: score + votes.n_workers,
        }
        score = spoilt.get(self.fault, lambda: score)()
        return float(score[0]) if self.kind is contract.AGREEMENT else score


BROKEN_BY = {
    "gives_a_number_for_each": "infinite",
    "knows_something_of_all_who_voted": "knows nothing",
    "says_nothing_where_there_are_no_votes": "knows all",
    "gives_the_same_twice": "random",
    "follows_a_renaming_of_classes": "fond of the first class",
    "ignores_the_order_of_votes": "first vote counts",
    "ignores_workers_who_never_voted": "counts idle workers",
    "takes_no_votes_at_all": "no votes crash",
    "takes_one_worker": "one worker crash",
    "takes_anonymous_votes": "anonymous crash",
    "takes_times_that_are_missing": "no times crash",
    "takes_classes_that_nobody_named": "absent class crash",
    "leaves_its_input_alone": "writes into probs",
    "ranks_a_planted_ambiguous_item_worst": "wrong end",
}
# Agreement is one number for all, so it has no part without votes; only items are ranked by how ambiguous they are.
EMPTY = {
    (contract.AGREEMENT, contract.says_nothing_where_there_are_no_votes),
    (contract.AGREEMENT, contract.ranks_a_planted_ambiguous_item_worst),
    (contract.WORKERS, contract.ranks_a_planted_ambiguous_item_worst),
}
BITES = [
    pytest.param(kind, check, id=f"{kind.folder}-{check.__name__}")
    for kind in contract.KINDS
    for check in contract.CHECKS
    if (kind, check) not in EMPTY
]


@pytest.mark.parametrize(("kind", "check"), BITES)
def test_contract_bites(kind: contract.Kind, check: contract.Check) -> None:
    with pytest.raises(AssertionError):
        check(kind, Broken(kind, BROKEN_BY[check.__name__]))


@pytest.mark.parametrize("kind", contract.KINDS, ids=lambda kind: kind.folder)
def test_contract_lets_a_good_score_pass(kind: contract.Kind) -> None:
    for check in contract.CHECKS:
        check(kind, Broken(kind, "none"))


@pytest.mark.parametrize("scorer", contract.AGREEMENT.scorers(), ids=str)
def test_full_agreement_is_one(scorer: Agreement) -> None:
    assert score(scorer, Votes.from_matrix([[0, 0], [1, 1]])) == 1


@pytest.mark.parametrize("scorer", [Accuracy(), SpamScore(), ConfusionTrace(), GladAbility()], ids=str)
def test_what_a_model_believes_of_anybody_is_no_score(scorer: WorkerScorer) -> None:
    votes = small_crowd(2)
    idle = votes.votes_per_worker == 0
    assert idle.any()
    assert np.isnan(scorer.score(votes, aggregate(votes, "glad"))[idle]).all()
