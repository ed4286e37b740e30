from itertools import product
from math import log

import numpy as np
import pytest

from quorate import Votes, simulate_votes
from quorate.aggregation.mace import Mace, SpammingModel
from quorate.errors import MethodError


def log_joint(votes: Votes, honesty: list[float], habit: list[list[float]]) -> float:
    """Log-likelihood of the votes, every true class and every (honest, spam) of every vote counted out."""
    total = 0.0
    for task in range(votes.n_tasks):
        rows = np.flatnonzero(votes.task == task)
        ways = 0.0
        for true in range(votes.n_classes):
            for honest in product((True, False), repeat=len(rows)):
                chance = 1 / votes.n_classes
                for row, looks in zip(rows, honest, strict=True):
                    worker, label = votes.worker[row], votes.label[row]
                    chance *= (
                        honesty[worker] * (label == true) if looks else (1 - honesty[worker]) * habit[worker][label]
                    )
                ways += chance
        total += log(ways)
    return total


def some_votes() -> Votes:
    return simulate_votes(n_tasks=8, votes_per_task=3, classes=range(3), workers={"reliable": 3}, seed=1).votes


def test_objective_counts_every_way_out() -> None:
    """The gain in objective between two rounds is that of the counted likelihood and of the priors."""
    votes = some_votes()
    posteriors = [Mace(class_prior="even", strength=8, max_rounds=rounds, tol=-1).aggregate(votes) for rounds in (1, 6)]
    everybody = (np.bincount(votes.label, minlength=3) + 1) / (len(votes) + 3)
    shares = votes.counts() / 3
    right = (shares.ravel()[votes.cell].sum() + 1) / (len(votes) + 2)
    pseudo = 8 * (right * 3 - 1) / 2
    by_hand = []
    for posterior in posteriors:
        model = posterior.worker_model
        assert isinstance(model, SpammingModel)
        value = log_joint(votes, model.honesty.tolist(), model.habit.tolist())
        value += (pseudo * np.log(model.honesty[:3]) + (8 - pseudo) * np.log(1 - model.honesty[:3])).sum()
        value += (8 * everybody * np.log(model.habit[:3])).sum()
        by_hand.append(value)
    assert np.isclose(np.diff([posterior.objective[-1] for posterior in posteriors])[0], by_hand[1] - by_hand[0])


def test_a_round_by_hand() -> None:
    """Two workers, one task, both say 0. Shares say 0; all votes right: (2 + 1) / (2 + 2), honest .5 of the time.

    Everybody says 0 with (2 + 1) / 4, so a right vote is honest with .5 / (.5 + .5 * .75) = 4/7, and after the M step
    a worker is honest with (4/7 + 4) / (1 + 8), and else says 0 with (3/7 + 6) / (3/7 + 8).
    """
    posterior = Mace(class_prior="even", strength=8, max_rounds=1).aggregate(
        Votes.from_arrays([0, 0], [0, 1], [0, 0], n_classes=2)
    )
    model = posterior.worker_model
    assert isinstance(model, SpammingModel)
    honesty, habit = (4 / 7 + 4) / 9, (3 / 7 + 6) / (3 / 7 + 8)
    assert np.allclose(model.honesty[:2], honesty)
    assert np.allclose(model.habit[:2], [habit, 1 - habit])
    right, wrong = honesty + (1 - honesty) * habit, (1 - honesty) * habit
    assert np.allclose(posterior.probs, [[right**2 / (right**2 + wrong**2), wrong**2 / (right**2 + wrong**2)]])


def test_finds_spammers_and_what_they_say() -> None:
    crowd = simulate_votes(n_tasks=500, votes_per_task=7, workers={"reliable": 12, "spammer": 3}, seed=4)
    model = Mace().aggregate(crowd.votes).worker_model
    assert isinstance(model, SpammingModel)
    spammer = np.array([kind == "spammer" for kind in crowd.kinds])
    assert model.honesty[:-1][spammer].max() < 0.2 < 0.4 < model.honesty[:-1][~spammer].min()


def test_learns_how_common_classes_are() -> None:
    """One task in ten is of class 1; workers are honest half the time and else say either: equal classes mislead."""
    rng = np.random.default_rng(0)
    gold = (rng.random(1000) < 0.1).astype(int)
    labels = np.where(rng.random((1000, 4)) < 0.5, gold[:, None], rng.integers(0, 2, (1000, 4)))
    votes = Votes.from_matrix(labels)
    learnt, even = Mace().aggregate(votes), Mace(class_prior="even").aggregate(votes)
    assert np.mean(learnt.labels == gold) > np.mean(even.labels == gold) + 0.02
    assert learnt.class_prior[1] < np.mean(labels) - 0.02  # nearer to the truth than the votes
    assert np.allclose(even.class_prior, 0.5)


def test_a_majority_of_spammers_does_not_decide_how_common_classes_are() -> None:
    """Six of ten workers always say 0; the others are right in 85 of 100 cases, and both classes are equally common."""
    rng = np.random.default_rng(1)
    gold = (rng.random(400) < 0.5).astype(int)
    able = np.where(rng.random((400, 4)) < 0.85, gold[:, None], 1 - gold[:, None])
    posterior = Mace().aggregate(Votes.from_matrix(np.concatenate([np.zeros((400, 6), int), able], axis=1)))
    assert np.mean(posterior.labels == gold) > 0.9
    assert posterior.class_prior[1] > 0.2


def test_refuses_options_that_mean_nothing() -> None:
    with pytest.raises(MethodError, match="class_prior must be one of"):
        Mace(class_prior="flat")  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="strength"):
        Mace(strength=-1)
