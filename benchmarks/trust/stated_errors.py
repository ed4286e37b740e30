"""Stated errors without an audit: the model estimate of the error of accepted labels against the true one.

python -m benchmarks.trust.stated_errors [--quick] [--json FILE]

QUORATE_DATA names the folder of the sets. The engine is replayed to its end on 40 pools of 250 tasks of each row of the
table of replays, as in benchmarks/decision/stated_errors.py, without gold. The constants of the estimate and of its
band are learnt from all other sets (the three rows of cifar10h are one set). A ratio is stated / true error of one
pool: a pool in which nothing is wrong counts as outside of every factor. As 250 tasks with 1 % errors have from 0 to 6
of them by chance, the stated error is also held against the mean over the pools of the same row and error cost, and a
row shows how many pools that mean itself is within a factor of 2 of: no statement can do much better. The sets that
were never used for tuning are stated by the constants that ship, on fewer pools. Last, whole files of votes are
decided as they are. --quick: a fifth of the pools. Replays are kept under QUORATE_CACHE.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two threads on two busy processors wait for each other

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from benchmarks.decision.rows import NEVER_TUNED, ROWS, Row
from benchmarks.harness import Figures, run
from benchmarks.trust import decided_files
from benchmarks.trust.ended_pools import MAJORITIES, N_ITEMS, EndedPool, cost_of, ended
from quorate.decision.stated_error import DISCOUNT, LEVEL, Discount
from quorate.parallel import run_jobs
from quorate.typing import Array

SEEDS, QUICK_SEEDS = 40, 8
SEEDS_UNSEEN, QUICK_SEEDS_UNSEEN = 12, 4
CANDIDATES = [
    Discount(scale=scale, power=power, taught_votes=taught_votes)
    for scale, power, taught_votes in product(
        (1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5), (0.0, 0.125, 0.25, 0.375, 0.5), (0.0, 1.0, 2.0, 3.0, 4.0, 6.0)
    )
]
FLOOR = 0.001  # added to both errors before their logarithms are compared: a set of few errors must not decide
T_11 = 1.363  # quantile .9 of Student's t with 11 degrees of freedom: a band for a 13th set, from 12


@dataclass(frozen=True, eq=False)
class Table:
    """Pools, and the error that each candidate states of them: (n_pools, n_candidates)."""

    rows: NDArray[np.str_]
    costs: NDArray[np.int64]
    errors: Array
    by_candidate: Array

    @property
    def sets(self) -> NDArray[np.str_]:
        """The set of each pool: several rows of the table of replays may have the same votes."""
        return np.array([row.partition(":")[0] for row in self.rows])

    def cell_means(self, values: Array) -> Array:
        """Of each pool the mean over all pools of the same row and error cost."""
        names = [f"{row} {cost}" for row, cost in zip(self.rows, self.costs, strict=True)]
        cell = np.unique(names, return_inverse=True)[1]
        counts = np.bincount(cell)
        columns = values.reshape(len(values), -1).T
        means = np.stack([np.bincount(cell, column) / counts for column in columns], axis=1)[cell]
        return means.reshape(values.shape)

    def losses(self) -> Array:
        """Squared log-ratio of the means that each candidate states and that are true: (n_pools, n_candidates)."""
        true = self.cell_means(self.errors)[:, None]
        losses: Array = np.log((self.cell_means(self.by_candidate) + FLOOR) / (true + FLOOR)) ** 2
        return losses


def measure(figures: Figures, quick: bool) -> None:
    """Ratios, shares and bands with the measured set left out, then those of sets that no constant was chosen on."""
    if not os.environ.get("QUORATE_DATA"):
        raise SystemExit("QUORATE_DATA is not set: set it to the folder of the real sets")
    pools = replayed(ROWS, QUICK_SEEDS if quick else SEEDS)
    table = table_of(pools)
    stated, bands = left_out(table)
    note = f"{len(pools)} pools"
    add_ratios(figures, "set left out", table, stated, note, targets=True)
    figures.add(f"set left out: {LEVEL:.0%} band holds the true error", covered(table, stated, bands), "", note=note)
    believed = np.array([pool.believed for pool in pools.values()])
    add_ratios(figures, "beliefs as they are", table, believed, note)
    for row in ROWS:
        own = table.rows == row.name
        means = {"believed": believed[own].mean(), "stated": stated[own].mean(), "true": table.errors[own].mean()}
        for what, mean in means.items():
            figures.add(f"{row.name}: {what} error", float(mean), "")
    with np.errstate(divide="ignore"):
        limit = within(table.cell_means(table.errors) / table.errors)
    figures.add("mean error of the same row and cost: within 2x of a pool's", limit, "", note=note)
    learnt = learn(table, np.ones(len(table.rows), dtype=bool))
    for name in ("scale", "power", "taught_votes"):
        figures.add(f"learnt from all sets: {name}", getattr(learnt, name), "", note=f"ships {getattr(DISCOUNT, name)}")
    band = band_factor(table, stated, np.ones(len(table.rows), dtype=bool))
    figures.add("learnt from all sets: band", band, "", note=f"ships {DISCOUNT.band}")
    add_majorities(figures, pools)
    add_unseen(figures, quick)
    decided_files.measure(figures)


def replayed(rows: tuple[Row, ...], seeds: int) -> dict[tuple[Row, int], EndedPool]:
    """The ends of all replays, from disk where they are there."""
    jobs = [(row, seed) for row in rows for seed in range(seeds)]
    ends = dict(run_jobs(_ended, jobs, None, 2))
    return {job: ends[job] for job in jobs}


def _ended(_: None, job: tuple[Row, int]) -> EndedPool:
    return ended(*job)


def table_of(pools: dict[tuple[Row, int], EndedPool]) -> Table:
    """What every candidate states of the pools."""
    return Table(
        np.array([row.name for row, _ in pools]),
        np.array([cost_of(seed) for _, seed in pools]),
        np.array([pool.error for pool in pools.values()]),
        np.array([[pool.stated(discount) for discount in CANDIDATES] for pool in pools.values()]),
    )


def left_out(table: Table) -> tuple[Array, Array]:
    """The error that is stated of every pool, and the factor of its band, both learnt from all other sets."""
    stated, bands = np.zeros(len(table.rows)), np.zeros(len(table.rows))
    for name in np.unique(table.sets):
        own = table.sets == name
        stated[own] = table.by_candidate[own, best(table, ~own)]
    for name in np.unique(table.sets):
        own = table.sets == name
        bands[own] = band_factor(table, stated, ~own)
    return stated, bands


def best(table: Table, among: NDArray[np.bool_]) -> int:
    """The candidate that states the errors of these pools best; every set counts the same."""
    losses = table.losses()
    sets = np.unique(table.sets[among])
    return int(np.mean([losses[among & (table.sets == name)].mean(axis=0) for name in sets], axis=0).argmin())


def learn(table: Table, among: NDArray[np.bool_]) -> Discount:
    """The best constants for these pools."""
    return CANDIDATES[best(table, among)]


def log_ratios(table: Table, stated: Array) -> Array:
    """Log of true to stated errors of every pool, with half an error added to both."""
    half = 0.5 / N_ITEMS
    ratios: Array = np.log((table.errors + half) / (stated + half))
    return ratios


def band_factor(table: Table, stated: Array, among: NDArray[np.bool_]) -> float:
    """The factor that 80 % of pools of a new set are expected to lie in: every set counts the same."""
    ratios, sets = log_ratios(table, stated), np.unique(table.sets[among])
    mean_square = np.mean([np.mean(ratios[among & (table.sets == name)] ** 2) for name in sets])
    return float(np.exp(T_11 * np.sqrt(mean_square * (1 + 1 / len(sets)))))


def covered(table: Table, stated: Array, bands: Array | float) -> float:
    """The share of pools whose true error is in the band."""
    return float((np.abs(log_ratios(table, stated)) <= np.log(bands)).mean())


def within(ratios: Array, factor: float = 2.0) -> float:
    """The share of ratios within a factor; those of pools in which nothing is wrong are infinite."""
    return float(((ratios >= 1 / factor) & (ratios <= factor)).mean())


def add_ratios(figures: Figures, name: str, table: Table, stated: Array, note: str, *, targets: bool = False) -> None:
    """The median ratio, the shares within a factor of 2, and the ratios of the sums of every row."""
    with np.errstate(divide="ignore"):
        ratios = stated / table.errors
    of_cells = table.cell_means(stated) / table.cell_means(table.errors)
    names = np.unique(table.rows)
    of_rows = {row: stated[table.rows == row].sum() / table.errors[table.rows == row].sum() for row in names.tolist()}
    shares = {row: within(ratios[table.rows == row]) for row in names.tolist()}
    figures.add(
        f"{name}: stated / true error, median of pools",
        float(np.median(ratios)),
        "",
        least=0.8 if targets else None,
        most=1.25 if targets else None,
        note=note,
        details=of_rows,
    )
    least = 0.7 if targets else None
    figures.add(
        f"{name}: pools within 2x of the true error", within(ratios), "", least=least, note=note, details=shares
    )
    near_mean = within(stated / table.cell_means(table.errors))
    figures.add(f"{name}: pools within 2x of the mean error of their row and cost", near_mean, "")
    figures.add(f"{name}: cells (row and cost) within 2x", within(of_cells), "")
    figures.add(f"{name}: rows within 2x, all pools together", within(np.array([*of_rows.values()])), "")
    figures.add(f"{name}: stated / true error, median of rows", float(np.median([*of_rows.values()])), "")
    figures.add(f"{name}: stated / true error, lowest row", min(of_rows.values()), "")
    figures.add(f"{name}: stated / true error, highest row", max(of_rows.values()), "")


def add_majorities(figures: Figures, pools: dict[tuple[Row, int], EndedPool]) -> None:
    """The comparison points of the service: the majority of 3 and of 5 votes, with the constants that ship."""
    for column, n_votes in enumerate(MAJORITIES):
        measured = [pool for pool in pools.values() if pool.majorities[column] > 0]
        true = np.array([pool.majorities[column] for pool in measured])
        ways = {
            "stated": np.array([pool.stated_majority(n_votes) for pool in measured]),
            "believed": np.array([pool.believed_majority(n_votes) for pool in measured]),
        }
        for way, errors in ways.items():
            name, note = f"majority of {n_votes} votes: {way}", f"{len(measured)} pools"
            figures.add(f"{name} / true error, median of pools", float(np.median(errors / true)), "", note=note)
            figures.add(f"{name} error within 2x of the true one", within(errors / true), "", note=note)


def add_unseen(figures: Figures, quick: bool) -> None:
    """Sets that were never used for tuning, by the constants that ship."""
    pools = replayed(NEVER_TUNED, QUICK_SEEDS_UNSEEN if quick else SEEDS_UNSEEN)
    table = table_of(pools)
    stated, note = np.array([pool.stated() for pool in pools.values()]), f"{len(pools)} pools"
    add_ratios(figures, "sets never used for tuning", table, stated, note)
    name = f"sets never used for tuning: {LEVEL:.0%} band holds the true error"
    figures.add(name, covered(table, stated, DISCOUNT.band), "", note=note)


if __name__ == "__main__":
    run(measure, "Stated errors without an audit: how far are they from the true ones?")
