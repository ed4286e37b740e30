"""A learner that is fitted without the most ambiguous items."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quorate import Votes, aggregate
from quorate.ambiguity.vote_entropy import VoteEntropy
from quorate.ambiguity.waum import Waum
from quorate.errors import MethodError, UnknownNameError
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.pruned import Pruned
from quorate.learning.saving import load, save
from quorate.metrics import log_loss
from quorate.protocols import Valid
from quorate.typing import Array

PSI1 = Waum(margin="psi1")  # of two classes, psi5 lets all wrong labels tie


def noisy_clouds(n_tasks: int = 120, wrong: int = 12) -> tuple[Array, Votes, Any]:
    """Return two clouds; all three workers give the first `wrong` tasks the label of the other cloud."""
    random = np.random.default_rng(3)
    gold = np.arange(n_tasks) % 2
    x = random.normal(0, 0.7, (n_tasks, 2)) + np.where(gold, 1.0, -1.0)[:, None]
    labels = np.repeat(gold[:, None], 3, axis=1)
    labels[:wrong] = 1 - labels[:wrong]
    return x, Votes.from_matrix(labels), gold


def test_cuts_the_share_asked_for_and_teaches_the_rest() -> None:
    x, votes, _ = noisy_clouds()
    pruned = Pruned(score=PSI1, alpha=(0.1,)).fit(x, votes, aggregate(votes))
    assert pruned.pruning_.kept.sum() == 108
    assert np.flatnonzero(~pruned.pruning_.kept).max() < 12  # only wrong ones were cut
    rest = np.flatnonzero(pruned.pruning_.kept)
    alone = Linear().fit(x[rest], votes.subset(tasks=rest), aggregate(votes.subset(tasks=rest)))
    assert pruned.predict_proba(x) == pytest.approx(alone.predict_proba(x), abs=0.01)


def test_validation_chooses_alpha() -> None:
    x, votes, gold = noisy_clouds()
    valid = Valid(x=x, gold=gold)
    pruned = Pruned(score=PSI1, alpha=(0.0, 0.1)).fit(x, votes, aggregate(votes), valid=valid)
    assert pruned.alpha_ == 0.1
    for gold_of_valid in (gold, 1 - gold, np.roll(gold, 1) * gold):
        valid = Valid(x=x, gold=gold_of_valid)
        alone = [Pruned(score=PSI1, alpha=(alpha,)) for alpha in (0.1, 0.0, 0.5)]
        losses = [
            log_loss(learner.fit(x, votes, aggregate(votes), valid=valid).predict_proba(x), gold_of_valid)
            for learner in alone
        ]
        chosen = Pruned(score=PSI1, alpha=(0.1, 0.0, 0.5)).fit(x, votes, aggregate(votes), valid=valid)
        assert chosen.alpha_ == (0.1, 0.0, 0.5)[int(np.argmin(losses))]


def test_votes_can_be_aggregated_anew() -> None:
    x, votes, _ = noisy_clouds()
    pruned = Pruned(alpha=(0.1,), aggregator="majority", score=VoteEntropy()).fit(x, votes, aggregate(votes))
    assert pruned.scores_.name == "vote_entropy"


def test_trace_is_that_of_the_learner_that_is_kept() -> None:
    x, votes, gold = noisy_clouds()
    epochs: list[int] = []
    seen: list[Array] = []

    def note(epoch: int, probs: Array) -> None:
        epochs.append(epoch)
        seen.append(probs)

    pruned = Pruned(score=PSI1, alpha=(0.0, 0.1))
    pruned.fit(x, votes, aggregate(votes), valid=Valid(x=x, gold=gold), on_epoch=note)
    assert epochs == list(range(len(epochs)))
    assert np.array_equal(np.isnan(seen[-1][:, 0]), ~pruned.pruning_.kept)


def test_is_saved_and_loaded(tmp_path: Path) -> None:
    x, votes, _ = noisy_clouds()
    pruned = Pruned(alpha=(0.1,)).fit(x, votes, aggregate(votes))
    save(pruned, tmp_path / "model")
    again = load(tmp_path / "model")
    assert np.array_equal(again.predict_proba(x), pruned.predict_proba(x))
    assert again.alpha_ == 0.1


def test_refuses_what_it_cannot_do() -> None:
    x, votes, _ = noisy_clouds()
    with pytest.raises(MethodError, match="several shares in alpha need validation items"):
        Pruned().fit(x, votes, aggregate(votes))
    for alpha in ((), (1.0,), 0.1, ("a",)):
        with pytest.raises(MethodError, match="alpha must be a tuple of shares"):
            Pruned(alpha=alpha)  # type: ignore[arg-type]
    with pytest.raises(MethodError, match=r"aggregator must be an object such as DawidSkene\(\), got 3"):
        Pruned(aggregator=3)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="there is no score 'wam': did you mean 'waum'"):
        Pruned(score="wam")
