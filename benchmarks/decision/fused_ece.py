"""Calibration of the fused posterior after a number of votes on every item, fitted with gold."""

import numpy as np
from numpy.typing import NDArray

from benchmarks.decision.contestants import CONTESTANTS, ENGINE
from benchmarks.decision.rows import Row, pool
from benchmarks.harness import Figures
from quorate.data.costs import Costs
from quorate.metrics import expected_calibration_error
from quorate.replay.classifiers import predictions_by_name, training_targets
from quorate.replay.vote_source import VoteSource
from quorate.typing import Array

MOST = 0.02
VOTES = (0, 1, 2, 3)


def measure_ece(figures: Figures, rows: list[Row], seeds: int) -> None:
    """ECE over the items of all seeds that neither gave gold nor were in the warm-up."""
    for row in rows:
        for votes in VOTES:
            results = [_posterior(row, seed, votes) for seed in range(seeds)]
            probs, gold = (
                np.concatenate([result[0] for result in results]),
                np.concatenate([result[1] for result in results]),
            )
            ece = expected_calibration_error(probs, gold)
            figures.add(f"{row.name}, 200 gold: ECE of the fused posterior after {votes} votes", ece, "", most=MOST)


def _posterior(row: Row, seed: int, votes: int) -> tuple[Array, NDArray[np.int64]]:
    """Return the engine's posterior of the other items after its warm-up and this number of votes on each of them."""
    asked = pool(row, seed, with_gold=True)
    assert asked.known is not None
    rng = np.random.default_rng(seed)
    policy = CONTESTANTS[ENGINE].make(Costs.of_error(100, asked.votes.n_classes))
    source = VoteSource(asked.votes, rng.permutation(len(asked.votes)))
    pred_probs = None if asked.machine is None else asked.machine.start()
    machines = {} if asked.machine is None else predictions_by_name(asked.machine, pred_probs)
    warm_up = policy.warm_up(asked.votes.n_tasks, machines)
    order = rng.permutation(asked.votes.n_tasks)
    order = order[np.argsort(asked.known[order] < 0, kind="stable")]  # with gold first, as a replay has it
    warm = order[: warm_up.tasks]
    source.show(warm, warm_up.votes)
    rest = np.setdiff1d(np.flatnonzero(asked.known < 0), warm)
    if votes:
        source.show(rest, votes)
    seen = source.votes()
    if pred_probs is None and asked.machine is not None:
        machines = predictions_by_name(
            asked.machine, asked.machine.learn(seen, training_targets(seen, {}, asked.known, None), asked.known)
        )
    model = policy.fit(seen, machines, asked.known)
    return model.posterior(seen, machines)[rest], asked.gold[rest]
