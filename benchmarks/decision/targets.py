"""The figures of the table of replays, with their targets."""

from collections.abc import Iterable

import numpy as np

from benchmarks.decision.cells import NOISE, Cell, Ratio, ratio, replays
from benchmarks.decision.contestants import AVERAGE, CROWD_ONLY, ENGINE, LOG_LINEAR
from benchmarks.decision.rows import Row, source
from benchmarks.decision.runs import ERROR_COSTS, GOLD, NO_GOLD, PERFECT, SHUFFLED
from benchmarks.harness import Figures

WORST = 1.10
LOSSES = {  # at an error cost of 100, without gold
    "labelme": 14.0,
    "music_genre": 20.0,
    "cifar10h:resnet_low_acc": 2.2,
    "cifar10h:resnet110": 1.75,
    "cifar10h:densenet_bc_L190_k40": 1.5,
}
PRINTED_AVERAGE = {"cifar10h:resnet_low_acc": 5.06, "cifar10h:resnet110": 3.30}  # by an earlier study; the lower counts


def add_no_gold(figures: Figures, cells: list[Cell], *, whole: bool, name: str = "no gold") -> None:
    """Add how often the engine is within noise of the best of all others, and how far off it is at worst."""
    if not cells:
        return
    within = sum(cell.ratio.within_noise for cell in cells)
    least = 50 if whole else None
    figures.add(f"{name}: cells within noise of the best policy, of {len(cells)}", within, "", least=least)
    close = sum(cell.ratio.value <= NOISE for cell in cells)
    figures.add(f"{name}: cells whose ratio itself is at most {NOISE}, of {len(cells)}", close, "")
    worst = max(cells, key=lambda cell: cell.ratio.value)
    where = f"{worst.row}, error cost {worst.error_cost}, against {worst.best}"
    figures.add(f"{name}: worst ratio", worst.ratio.value, "x", most=WORST if whole else None, note=where)
    add_counts(figures, f"{name}, the best policy of each cell", [cell.ratio for cell in cells])
    add_geometric_means(figures, cells, name)


def add_counts(figures: Figures, name: str, ratios: Iterable[Ratio]) -> None:
    """Wins, ties and losses by the interval."""
    verdicts = [ratio.verdict for ratio in ratios]
    counts = {verdict: verdicts.count(verdict) for verdict in ("win", "tie", "loss")}
    print(f"  engine against {name}: {counts['win']} wins, {counts['tie']} ties, {counts['loss']} losses")
    figures.add(f"{name}: wins less losses of the engine", counts["win"] - counts["loss"], "", details=counts)


def add_geometric_means(figures: Figures, cells: list[Cell], name: str, *, below: tuple[str, ...] = ()) -> None:
    """Add the ratio of the engine's loss to each policy's, over all cells; `below`: those that it must not exceed."""
    for policy in cells[0].losses:
        if policy != ENGINE:
            share = np.exp(np.mean([np.log(cell.losses[ENGINE] / cell.losses[policy]) for cell in cells]))
            most = 1.0 if policy in below else None
            figures.add(f"{name}: engine's loss, share of {policy}'s, geometric mean", float(share), "x", most=most)


def add_gold(figures: Figures, cells: list[Cell], rows: list[Row], seeds: int) -> None:
    """Add the targets with gold: within noise of log-linear with value of information, below the others on average."""
    if not cells:
        return
    others = tuple(name for name in cells[0].losses if name not in (ENGINE, LOG_LINEAR))
    add_geometric_means(figures, cells, GOLD.name, below=others)
    add_counts(figures, f"{GOLD.name}, the best policy of each cell", [cell.ratio for cell in cells])
    if LOG_LINEAR not in cells[0].losses:
        return
    rows_with_gold = {cell.row for cell in cells}
    ratios = {}
    for row in rows:
        for cost in ERROR_COSTS if row.name in rows_with_gold else ():
            ours, theirs = (replays(row, GOLD, name, cost, seeds) for name in (ENGINE, LOG_LINEAR))
            ratios[row.name, cost] = ratio(ours, theirs)
    above = [key for key, measured in ratios.items() if not measured.within_noise]
    where = "; ".join(f"{row} at {cost}" for row, cost in above)
    add_counts(figures, f"{GOLD.name}, {LOG_LINEAR}", ratios.values())
    figures.add(
        f"{GOLD.name}: cells beyond noise above {LOG_LINEAR}, of {len(ratios)}", len(above), "", most=0, note=where
    )


def add_losses(figures: Figures, rows: list[Row], seeds: int) -> None:
    """Single cells that have a target."""
    for row in rows:
        if row.name in LOSSES:
            outcomes = replays(row, NO_GOLD, ENGINE, 100, seeds)
            note = f"{outcomes.votes_per_item:.2f} votes, {outcomes.error:.2%} wrong"
            figures.add(f"{row.name}, error cost 100: loss", outcomes.loss, "", most=LOSSES[row.name], note=note)
        if row.name in PRINTED_AVERAGE:
            ours, theirs = (replays(row, NO_GOLD, name, 100, seeds).loss for name in (ENGINE, AVERAGE))
            name = f"{row.name}, error cost 100: share of the loss of the paper's average"
            share = ours / min(theirs, PRINTED_AVERAGE[row.name])
            figures.add(name, share, "x", most=0.6, note=f"{theirs:.2f} here")
        if row.data == "cifar10h":
            add_fewer_votes(figures, row, seeds)


def add_fewer_votes(figures: Figures, row: Row, seeds: int) -> None:
    """Add how many times fewer votes the engine needs for the error of five-vote majority, at the best error cost."""
    majority = replays(row, NO_GOLD, "5 votes, majority", 100, seeds)
    best, note = 0.0, "at no error cost"
    for cost in ERROR_COSTS:
        outcomes = replays(row, NO_GOLD, ENGINE, cost, seeds)
        fewer = majority.votes_per_item / outcomes.votes_per_item
        if outcomes.error <= majority.error and fewer > best:
            best, note = fewer, f"error cost {cost}: {outcomes.error:.2%} against {majority.error:.2%}"
    figures.add(f"{row.name}: times fewer votes than 5-vote majority at its error", best, "x", least=5, note=note)


def add_machines(figures: Figures, rows: list[Row], seeds: int) -> None:
    """Add the targets of extreme classifiers: an uninformed one must do no harm, a perfect one must save the votes."""
    for row in rows:
        reached = []
        for cost in ERROR_COSTS:
            ours, theirs = replays(row, SHUFFLED, ENGINE, cost, seeds), replays(row, NO_GOLD, CROWD_ONLY, cost, seeds)
            reached.append((ratio(ours, theirs), cost))
        worst, cost = max(reached, key=lambda pair: pair[0].low)
        note = f"at worst {worst.value:.3f}, error cost {cost}"
        name = f"{row.name}, shuffled machine: share of crowd only's loss, where the interval begins"
        figures.add(name, worst.low, "x", most=1.02, note=note)
        perfect = replays(row, PERFECT, ENGINE, 20, seeds)
        name = f"{row.name}, perfect machine, error cost 20: votes an item after the warm-up"
        figures.add(name, perfect.later_votes, "", most=0.1)


def add_seconds(figures: Figures, rows: list[Row], seeds: int) -> None:
    """CPU of the engine's replay, classifier included, at its slowest."""
    seconds_by_row = {}
    for row in rows:
        for cost in ERROR_COSTS:
            run = replays(row, NO_GOLD, ENGINE, cost, seeds)
            seconds_by_row[row.name, cost] = run.seconds
    row_name, cost = max(seconds_by_row, key=seconds_by_row.__getitem__)
    name, note = "CPU of a replay of the engine, median of seeds, at its slowest", f"{row_name}, error cost {cost}"
    figures.add(name, seconds_by_row[row_name, cost], "s", most=3.0, note=note)


def with_features(rows: Iterable[Row]) -> list[Row]:
    """Rows whose machine learns from texts or features."""
    return [row for row in rows if source(row).features is not None]
