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
    """A policy that decides on a tenth of the pool before the rest, and keeps the state of the pool in between.

    The tenth consists of the tasks of its warm-up and of random others that ask for votes.
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
    """One forecast of a pool, with the classifier of its row; fixed: with its final predictions from the start."""

    row: Row
    seed: int
    error_cost: int
    fixed: bool = False

    @property
    def name(self) -> str:
        """As in files."""
        return f"{self.row.name.replace(':', '-')}{'-given' if self.fixed else ''}-{self.error_cost}-{self.seed}"


@dataclass(frozen=True, eq=False)
class Held:
    """The votes that a simulation predicted, and those that the replay then took."""

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
        """The logarithm of the true votes over the simulated ones, and the spread of the simulation."""
        middle, spread = middle_and_spread(self.simulated)
        return float(np.log(self.to_come + TUNING.pseudo_votes)) - middle, spread


def held(case: Case) -> Held:
    """Return a forecast and its truth, from disk if they are there."""
    code = fingerprint(MATTERS, FIRST)
    arrays = kept(folder() / "forecast" / f"{case.name}-{code}.npz", lambda: _measured(case))
    return Held(
        case=case,
        kind=str(arrays["kind"]),  # type: ignore[arg-type]
        seen=int(arrays["seen"]),
        runs=arrays["runs"],
        halves=arrays["halves"],
        to_come=int(arrays["to_come"]),
        share=float(arrays["share"]),
    )


def _measured(case: Case) -> dict[str, NDArray[Any]]:
    asked = pool(case.row, case.seed)
    machine = _fixed_classifier(asked.machine, asked.votes) if case.fixed else asked.machine
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


def _fixed_classifier(machine: Classifier | None, votes: Votes) -> Classifier:
    """Return a classifier that predicts from the start what it would learn from all votes, out of fold."""
    assert isinstance(machine, IncrementalClassifier)
    probs = aggregate(votes, "dawid_skene").probs
    return FixedClassifier(IncrementalClassifier(machine.x).learn(votes, probs, np.full(votes.n_tasks, -1)))


def cases(rows: list[Row], seeds: tuple[int, ...]) -> Iterator[Case]:
    """Yield all forecasts of some rows."""
    for seed in seeds:
        for row in rows:
            for error_cost in ERROR_COSTS:
                yield Case(row, seed, error_cost)
                if source(row).features is not None:
                    yield Case(row, seed, error_cost, fixed=True)


def fitted(past: list[Held]) -> Correction:
    """Fit the errors of these simulations: shifts are means over sets, shrunk towards zero by PSEUDO_SETS."""
    shift: dict[MachineKind, float] = {}
    off: list[float] = []
    for kind in KINDS:
        by_set: dict[str, list[float]] = {}
        own = [forecast for forecast in past if forecast.kind == kind]
        for forecast in own:
            by_set.setdefault(forecast.case.row.data, []).append(forecast.residual[0])
        middles = [float(np.median(residuals)) for residuals in by_set.values()]
        shift[kind] = sum(middles) / (len(middles) + PSEUDO_SETS)
        off += [abs(forecast.residual[0] - shift[kind]) / forecast.residual[1] for forecast in own]
    return Correction(shift=shift, width=float(np.quantile(off, min(1.0, LEVEL * (1 + 1 / len(off))))))


@dataclass(frozen=True)
class Result:
    """Of one forecast of votes in all. width: of the value. ratio: truth / value."""

    held: Held
    holds: bool
    width: float
    ratio: float


def results(forecasts: list[Held], folds: list[list[str]]) -> list[Result]:
    """Return forecasts of the sets of each fold, corrected by the errors on the sets of the other folds."""
    compared = []
    for fold in folds:
        usual = fitted([forecast for forecast in forecasts if forecast.case.row.data not in fold])
        for forecast in forecasts:
            if forecast.case.row.data in fold:
                band = calibrated_band(forecast.simulated, forecast.kind, usual).plus(forecast.seen)
                truth = forecast.seen + forecast.to_come
                width = (band.high - band.low) / band.value
                compared.append(Result(forecast, band.low <= truth <= band.high, width, truth / band.value))
    return compared


def plain(forecasts: list[Held]) -> list[Result]:
    """Return uncorrected forecasts: the band is the 10% to 90% quantile of the runs."""
    compared = []
    for forecast in forecasts:
        runs = forecast.simulated.runs.votes.sum(axis=1) + forecast.seen
        low, high = np.quantile(runs, [0.1, 0.9])
        truth = forecast.seen + forecast.to_come
        compared.append(
            Result(forecast, low <= truth <= high, float((high - low) / runs.mean()), truth / float(runs.mean()))
        )
    return compared


def add(figures: Figures, name: str, compared: list[Result], *, targets: bool = False) -> None:
    """Add the coverage, width and error of some forecasts."""
    widths = np.array([result.width for result in compared])
    logs = np.log([result.ratio for result in compared])
    holds = float(np.mean([result.holds for result in compared]))
    note = f"{len(compared)} forecasts"
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
    forecasts = [held(case) for case in cases(rows, SEEDS)]
    sets = sorted({row.data for row in rows})
    own = [forecast for forecast in forecasts if not forecast.case.fixed]
    add(figures, "plain simulation", plain(own))
    for name, folds in {
        "each set by all others": [[name] for name in sets],
        "each half of the sets by the other": [sets[0::2], sets[1::2]],
    }.items():
        compared = results(forecasts, folds)
        main = [result for result in compared if not result.held.case.fixed]
        add(figures, name, main, targets=True)
        for kind in KINDS:
            add(figures, f"{name}, machine: {kind}", [result for result in main if result.held.kind == kind])
        add(figures, f"{name}, learnt machine given at once", [result for result in compared if result.held.case.fixed])
    usual = fitted(forecasts)
    for kind in KINDS:
        figures.add(f"fitted to all: shift, machine: {kind}", usual.shift[kind], "")
    figures.add("fitted to all: width", usual.width, "")


if __name__ == "__main__":
    run(measure, "Forecasts after a first run, on real votes.")
