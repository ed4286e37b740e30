import numpy as np

from quorate import Votes, aggregate, simulate_votes
from quorate.calibration.gold_consensus import calibrate_on_gold
from quorate.metrics import expected_calibration_error, log_loss


def overconfident_crowd() -> tuple[Votes, np.ndarray]:
    """Return votes of workers who copy one another on a quarter of the tasks, and the gold labels."""
    rng = np.random.default_rng(3)
    gold = rng.integers(0, 2, 800)
    labels = np.where(rng.random((800, 7)) < 0.8, gold[:, None], 1 - gold[:, None])
    shared = rng.random(800) < 0.25
    labels[shared] = np.where(rng.random(shared.sum()) < 0.5, gold[shared], 1 - gold[shared])[:, None]
    return Votes.from_matrix(labels), gold


def some_of(gold: np.ndarray, n_gold: int) -> np.ndarray:
    return np.where(np.arange(len(gold)) < n_gold, gold, -1)


def test_gold_labels_calibrate_the_other_tasks() -> None:
    votes, gold = overconfident_crowd()
    rest = np.where(np.arange(800) < 100, -1, gold)
    ways = {
        "clamped": aggregate(votes, "dawid_skene", gold=some_of(gold, 100), probabilities="model"),
        "discounted": aggregate(votes, "dawid_skene"),
        "calibrated": aggregate(votes, "dawid_skene", gold=some_of(gold, 100)),
    }
    errors = {name: expected_calibration_error(way.probs, rest) for name, way in ways.items()}
    losses = {name: log_loss(way.probs, rest) for name, way in ways.items()}
    assert errors["calibrated"] < errors["discounted"] < errors["clamped"]
    assert losses["calibrated"] < losses["clamped"]
    assert ways["calibrated"].note == "calibrated on 100 gold labels"
    assert np.array_equal(ways["calibrated"].labels[:100], gold[:100])


def test_gold_of_a_single_class_is_no_error() -> None:
    votes, gold = overconfident_crowd()
    only = np.where((gold == 1) & (np.arange(800) < 40), 1, -1)
    posterior = aggregate(votes, gold=only)
    assert np.array_equal(posterior.labels[only >= 0], only[only >= 0])
    assert np.allclose(posterior.probs.sum(axis=1), 1)
    plain = aggregate(votes, "dawid_skene", gold=only)  # one temperature: labels stay
    clamped = aggregate(votes, "dawid_skene", gold=only, probabilities="model")
    assert np.array_equal(plain.labels, clamped.labels)


def test_no_gold_and_gold_of_every_task_change_nothing_else() -> None:
    votes = simulate_votes(n_tasks=30, votes_per_task=3, seed=0).votes
    posterior = aggregate(votes, "dawid_skene")
    assert calibrate_on_gold(posterior, posterior, np.full(30, -1)) is posterior
    everything = np.arange(30) % 2
    assert np.array_equal(aggregate(votes, "dawid_skene", gold=everything).labels, everything)


def test_gold_of_tasks_without_votes_does_not_calibrate() -> None:
    votes = Votes.from_arrays([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], n_classes=2, n_tasks=3)
    posterior = aggregate(votes, "dawid_skene", gold=np.array([-1, -1, 1]))
    assert "calibrated" not in posterior.note
    assert posterior.labels.tolist() == [0, 1, 1]
