"""Forecasts after a tenth of the pool, compared with the outcome of replays of real votes.

python -m benchmarks.decision.forecast [--quick] [--json FILE]

Every set is forecast by what was measured on the others: with each set left out alone, and with half of the sets.
QUORATE_DATA names the folder of the sets. Replays are kept as those of benchmarks/decision/replays.py are. --quick
changes nothing: a third of the pools would leave the targets to chance.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.decision.cache import fingerprint, folder, kept
from benchmarks.decision.rows import NEVER_TUNED, ROWS, Row, pool, source
from benchmarks.harness import Figures, run
from quorate import aggregate
from quorate.api.forecast import make_teacher
from quorate.data.costs import Costs, Prices
from quorate.data.decisions import ACCEPT, ASK, Decisions
from quorate.data.votes import Votes
from quorate.decision.base import Fused, Machines, Policy, PoolState, WarmUp
from quorate.decision.policies.expected_loss import ExpectedLoss
from quorate.forecasts.forecast import LEVEL, calibrated_band, middle_and_spread
from quorate.forecasts.projection import Simulated, simulate_rest
from quorate.forecasts.rollout import Rehearsed
from quorate.forecasts.tuning import TUNING, Correction, MachineKind
from quorate.replay.classifiers import Classifier, FixedClassifier, IncrementalClassifier
from quorate.replay.pool import replay
from quorate.typing import Gold

FIRST = 0.1  # share of the pool that the first run decides on
ERROR_COSTS = (20, 100)
SEEDS = (2, 3, 4)  # the rule was chosen on pools of seeds 0 and 1
PSEUDO_SETS = 4.0  # on which simulation was right on average: few sets tell little of the next
KINDS: tuple[MachineKind, ...] = ("none", "learning", "given")
MATTERS = (
    "quorate.decision.policies.expected_loss",
    "quorate.forecasts.projection",
    "quorate.replay.pool",
    "benchmarks.decision.rows",
)


class FirstRun:
    """A policy that decides on a tenth of the pool before it goes on to the rest, and keeps how things stood between.

    The tenth are the tasks of its warm-up, and others, drawn at random among those that ask.
    """

    def __init__(self, policy: Policy, seed: int) -> None:
        self.policy, self.rng = policy, np.random.default_rng(900 + seed)
        self.first: NDArray[np.bool_] | None = None
        self.state: PoolState | None = None

    @property
    def costs(self) -> Costs:
        """See Policy."""
        return self.policy.costs

    @property
    def prices(self) -> Prices:
        """See Policy."""
        return self.policy.prices

    def warm_up(self, n_tasks: int, machines: Machines) -> WarmUp:
        """See Policy."""
        return self.policy.warm_up(n_tasks, machines)

    def fit(self, votes: Votes, machines: Machines, gold: Gold | None = None, start: Fused | None = None) -> Fused:
        """See Policy."""
        return self.policy.fit(votes, machines, gold, start)

    def decide(self, state: PoolState) -> Decisions:
        """See Policy."""
        decisions = self.policy.decide(state)
        if self.state is not None:
            return decisions
        asks = decisions.action == ASK
        if self.first is None:
            self.first = state.votes.votes_per_task > 0
        lacking = int(np.ceil(FIRST * len(asks))) - int(self.first.sum())
        others = np.flatnonzero(asks & ~self.first)
        if lacking > 0 and len(others):
            self.first[self.rng.choice(others, min(lacking, len(others)), replace=False)] = True
        if not (asks & self.first).any():
            self.state = state
            return decisions
        return replace(decisions, action=np.where(asks & ~self.first, ACCEPT, decisions.action).astype(np.int8))


@dataclass(frozen=True)
class Case:
    """One forecast: of a pool, with the machine of its row, or with what that has learnt in the end given at once."""

    row: Row
    seed: int
    error_cost: int
    given: bool = False

    @property
    def name(self) -> str:
        """As in files."""
        return f"{self.row.name.replace(':', '-')}{'-given' if self.given else ''}-{self.error_cost}-{self.seed}"


@dataclass(frozen=True, eq=False)
class Held:
    """What a simulation said, and what the replay then took. All in votes."""

    case: Case
    kind: MachineKind
    seen: int
    runs: NDArray[np.int64]  # (n_runs,), to come
    halves: NDArray[np.float64]
    to_come: int  # in truth
    share: float  # of the tasks had votes

    @property
    def simulated(self) -> Simulated:
        """As it was made."""
        runs = Rehearsed(votes=self.runs[:, None], error_cost=np.zeros(len(self.runs)))
        return Simulated(n_asking=1, runs=runs, halves=self.halves)

    @property
    def residual(self) -> tuple[float, float]:
        """By which logarithm the truth lay above what was simulated, and how far off that may be."""
        middle, spread = middle_and_spread(self.simulated)
        return float(np.log(self.to_come + TUNING.pseudo_votes)) - middle, spread


def held(case: Case) -> Held:
    """A forecast and its truth, from disk where they are there."""
    code = fingerprint(MATTERS, FIRST)
    found = kept(folder() / "forecast" / f"{case.name}-{code}.npz", lambda: _measured(case))
    return Held(
        case=case,
        kind=str(found["kind"]),  # type: ignore[arg-type]
        seen=int(found["seen"]),
        runs=found["runs"],
        halves=found["halves"],
        to_come=int(found["to_come"]),
        share=float(found["share"]),
    )


def _measured(case: Case) -> dict[str, NDArray[Any]]:
    asked = pool(case.row, case.seed)
    machine = _given(asked.machine, asked.votes) if case.given else asked.machine
    policy = ExpectedLoss(costs=Costs.of_error(case.error_cost, asked.votes.n_classes))
    first = FirstRun(policy, case.seed)
    outcome = replay(first, asked.votes, asked.gold, machine, seed=case.seed)
    state = first.state
    assert state is not None, case.name
    left = asked.votes.votes_per_task - state.votes.votes_per_task
    teach = make_teacher(machine.x, policy, state.gold) if isinstance(machine, IncrementalClassifier) else None
    machines = state.machines if teach is None else teach(state.votes)
    fresh = replace(state, machines=machines, model=policy.fit(state.votes, machines, state.gold))
    simulated = simulate_rest(policy, fresh, teach=teach, left=left)
    return {
        "kind": np.array("none" if machine is None else "learning" if teach else "given"),
        "seen": np.array(len(state.votes)),
        "runs": simulated.runs.votes[:, 0],
        "halves": simulated.halves,
        "to_come": np.array(outcome.votes.sum() - len(state.votes)),
        "share": np.array((state.votes.votes_per_task > 0).mean()),
    }


def _given(machine: Classifier | None, votes: Votes) -> Classifier:
    """A machine that knows from the start what it could learn of all votes, out of fold."""
    assert isinstance(machine, IncrementalClassifier)
    probs = aggregate(votes, "dawid_skene").probs
    return FixedClassifier(IncrementalClassifier(machine.x).learn(votes, probs, np.full(votes.n_tasks, -1)))


def cases(rows: list[Row], seeds: tuple[int, ...]) -> Iterator[Case]:
    """All forecasts of some rows."""
    for seed in seeds:
        for row in rows:
            for error_cost in ERROR_COSTS:
                yield Case(row, seed, error_cost)
                if source(row).features is not None:
                    yield Case(row, seed, error_cost, given=True)


def fitted(past: list[Held]) -> Correction:
    """How simulations were off on these: shifts are means over sets, drawn towards none as if by a few sets more."""
    shift: dict[MachineKind, float] = {}
    off: list[float] = []
    for kind in KINDS:
        by_set: dict[str, list[float]] = {}
        own = [one for one in past if one.kind == kind]
        for one in own:
            by_set.setdefault(one.case.row.data, []).append(one.residual[0])
        middles = [float(np.median(residuals)) for residuals in by_set.values()]
        shift[kind] = sum(middles) / (len(middles) + PSEUDO_SETS)
        off += [abs(one.residual[0] - shift[kind]) / one.residual[1] for one in own]
    return Correction(shift=shift, width=float(np.quantile(off, min(1.0, LEVEL * (1 + 1 / len(off))))))


@dataclass(frozen=True)
class Result:
    """Of one forecast of votes in all. width: of the value. ratio: truth / value."""

    held: Held
    holds: bool
    width: float
    ratio: float


def results(found: list[Held], folds: list[list[str]]) -> list[Result]:
    """The sets of each fold forecast by what was measured on the sets of the others."""
    made = []
    for fold in folds:
        usual = fitted([one for one in found if one.case.row.data not in fold])
        for one in found:
            if one.case.row.data in fold:
                band = calibrated_band(one.simulated, one.kind, usual).plus(one.seen)
                truth = one.seen + one.to_come
                width = (band.high - band.low) / band.value
                made.append(Result(one, band.low <= truth <= band.high, width, truth / band.value))
    return made


def plain(found: list[Held]) -> list[Result]:
    """Plain simulation, as it is: the band is what nine in ten and one in ten runs say."""
    made = []
    for one in found:
        runs = one.simulated.runs.votes.sum(axis=1) + one.seen
        low, high = np.quantile(runs, [0.1, 0.9])
        truth = one.seen + one.to_come
        made.append(Result(one, low <= truth <= high, float((high - low) / runs.mean()), truth / float(runs.mean())))
    return made


def add(figures: Figures, name: str, made: list[Result], *, targets: bool = False) -> None:
    """Add the coverage, width and error of some forecasts."""
    widths = np.array([one.width for one in made])
    logs = np.log([one.ratio for one in made])
    holds = float(np.mean([one.holds for one in made]))
    note = f"{len(made)} forecasts"
    least, most = (0.75, 0.5) if targets else (None, None)
    figures.add(f"{name}: 80 % band holds the truth", holds, "", least=least, note=note)
    figures.add(f"{name}: width of the band / value, median", float(np.median(widths)), "", most=most, note=note)
    figures.add(f"{name}: width of the band / value, mean", float(widths.mean()), "", most=most, note=note)
    figures.add(f"{name}: mean error of votes in all", float(np.abs(np.expm1(-logs)).mean()), "", note=note)
    figures.add(f"{name}: bias of votes in all", float(np.exp(-logs.mean()) - 1), "", note=note)


def measure(figures: Figures, quick: bool) -> None:
    """Add how often the bands of all forecasts hold, and how wide they are."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    rows = [*ROWS, *NEVER_TUNED]
    found = [held(case) for case in cases(rows, SEEDS)]
    sets = sorted({row.data for row in rows})
    own = [one for one in found if not one.case.given]
    add(figures, "plain simulation", plain(own))
    for name, folds in {
        "each set by all others": [[one] for one in sets],
        "each half of the sets by the other": [sets[0::2], sets[1::2]],
    }.items():
        made = results(found, folds)
        main = [one for one in made if not one.held.case.given]
        add(figures, name, main, targets=True)
        for kind in KINDS:
            add(figures, f"{name}, machine: {kind}", [one for one in main if one.held.kind == kind])
        add(figures, f"{name}, learnt machine given at once", [one for one in made if one.held.case.given])
    usual = fitted(found)
    for kind in KINDS:
        figures.add(f"fitted to all: shift, machine: {kind}", usual.shift[kind], "")
    figures.add("fitted to all: width", usual.width, "")


if __name__ == "__main__":
    run(measure, "Forecasts after a first run, on real votes.")
