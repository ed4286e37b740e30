"""Stated errors at the end of replays: how often the 90% interval covers the truth.

python -m benchmarks.decision.stated_errors [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets. The engine is replayed to its end on 250 tasks; then experts label 75 of
them, drawn at random. Either these labels only judge (`state_error_of`), or they also teach, and each is held against a
decision that did not know it (`cross_audit`). --quick: a quarter of the replays.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.decision.resampled import resampled
from benchmarks.decision.rows import Row
from benchmarks.decision.watched import Watched
from benchmarks.harness import Figures, run
from quorate.audit.cross_auditing import cross_audit
from quorate.audit.error_rate import state_error_of
from quorate.data.costs import Costs
from quorate.data.decisions import ACCEPT, Decisions
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.replay.pool import replay
from quorate.typing import Gold

ROWS = (Row("cifar10h", "resnet110"), *map(Row, ("labelme", "rte_snow", "zencrowd_us", "d_product")))
N_ITEMS, N_AUDITS, ERROR_COSTS = 250, 75, (5, 20, 100, 500)


def measure(figures: Figures, quick: bool) -> None:
    """Coverage over all replays, and of each set."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    seeds = 10 if quick else 40
    ended = {row.name: [at_the_end(row, seed) for seed in range(seeds)] for row in ROWS}
    held = {name: np.array([(one.judged, one.taught) for one in found]) for name, found in ended.items()}  # (seeds, 2)
    every = np.concatenate([*held.values()])
    for place, way in enumerate(("that only judges", "that also teaches, in folds")):
        name = f"end of replays: 90 % interval holds the truth, by an audit {way}"
        details = {row: float(found[:, place].mean()) for row, found in held.items()}
        note = f"of {len(every)} replays"
        figures.add(name, float(every[:, place].mean()), "", least=0.88, note=note, details=details)
    for name, found in ended.items():
        for what in ("believed", "wrong"):
            mean = float(np.mean([getattr(one, what) for one in found]))
            figures.add(f"{name}: share of labels that are {what}{' wrong' * (what == 'believed')}", mean, "")


@dataclass(frozen=True)
class Ended:
    """The end of a replay: whether the interval of an audit holds the truth, where it only judges and where it also
    teaches; how many labels the model believes to be wrong, and how many are.
    """

    judged: bool
    taught: bool
    believed: float
    wrong: float


def at_the_end(row: Row, seed: int) -> Ended:
    """Of one replay; seeds take turns at the error costs."""
    pool = resampled(row, N_ITEMS, seed)
    watched = Watched(policy=ExpectedLoss(costs=Costs.of_error(ERROR_COSTS[seed % 4], pool.votes.n_classes)))
    outcome = replay(watched, pool.votes, pool.gold, pool.machine, seed=seed)
    believed = float(1 - watched.decisions.probs.max(axis=1).mean())
    audit = np.full(N_ITEMS, -1)
    rows = np.random.default_rng(500 + seed).permutation(N_ITEMS)[:N_AUDITS]
    audit[rows] = pool.gold[rows]
    plain = state_error_of(outcome.label, audit)
    judged = plain.low <= float(outcome.wrong.mean()) <= plain.high

    def run_again(known: Gold) -> Decisions:
        state = watched.state
        model = watched.fit(state.votes, state.machines, known, state.model)
        decisions = watched.policy.decide(replace(state, gold=known, model=model))
        return replace(decisions, action=np.full_like(decisions.action, ACCEPT))

    decisions, stated = cross_audit(run_again, audit, seed=seed)
    truth = float((decisions.label != pool.gold)[audit < 0].mean())
    taught = stated.low <= truth <= stated.high
    return Ended(judged=judged, taught=taught, believed=believed, wrong=float(outcome.wrong.mean()))


if __name__ == "__main__":
    run(measure, "Stated errors at the end of replays: how often does the 90 % interval hold the truth?")
