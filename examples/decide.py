"""Two votes on every item, then more only where they pay: how much does that save? On simulated votes.

    python examples/decide.py
    python examples/decide.py --cost-error 50 --tasks 2000

The simulated crowd has eleven votes on every item. They are bought in rounds: `decide` names the items on which one
more vote is worth its price, these votes are added, and `decide` runs again.
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from quorate import Decisions, Votes, aggregate, decide, simulate_votes
from quorate.data import ASK

N_INITIAL = 2  # votes on every item before the first decision


def first_votes(votes: Votes, number: NDArray[np.int64]) -> Votes:
    """Return the first `number` votes of every task."""
    rank = np.empty(len(votes), dtype=np.int64)  # position of each vote among those of its task
    for rows in np.split(np.argsort(votes.task, kind="stable"), np.cumsum(votes.votes_per_task)[:-1]):
        rank[rows] = np.arange(len(rows))
    return votes.subset(rows=rank < number[votes.task])


def ask_where_it_pays(votes: Votes, cost_error: float) -> tuple[Decisions, NDArray[np.int64]]:
    """Buy votes until none pays or none is left; return the decisions and the number of votes bought per task."""
    number = np.full(votes.n_tasks, N_INITIAL)
    while True:
        decisions = decide(first_votes(votes, number), cost_error=cost_error, prices={"crowd": 1})
        more = (decisions.action == ASK) & (number < votes.votes_per_task)
        if not more.any():
            return decisions, number
        number = number + more


def main() -> None:
    """Compare buying votes where they pay with the same number of votes on every item."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cost-error", type=float, default=20, help="cost of a wrong label, in votes")
    parser.add_argument("--tasks", type=int, default=800, help="number of items")
    arguments = parser.parse_args()
    crowd = simulate_votes(n_tasks=arguments.tasks, votes_per_task=11, seed=0)
    print(f"{arguments.tasks:,} items, an error costs {arguments.cost_error:g} votes")
    print(f"{'votes':20} {'votes per item':>14} {'wrong':>8} {'cost per item':>14}")

    def show(name: str, number: float, labels: NDArray[np.int64]) -> None:
        wrong = float(np.mean(labels != crowd.gold))
        print(f"{name:20} {number:14.2f} {wrong:8.1%} {number + arguments.cost_error * wrong:14.2f}")

    for number in (1, 3, 5, 7, 11):
        part = first_votes(crowd.votes, np.full(arguments.tasks, number))
        show(f"{number} on every item", number, aggregate(part).labels)
    decisions, bought = ask_where_it_pays(crowd.votes, arguments.cost_error)
    show("where a vote pays", float(bought.mean()), decisions.label)
    counts = enumerate(np.bincount(bought))
    print("Items by number of votes:", ", ".join(f"{count:,} with {number}" for number, count in counts if count))


if __name__ == "__main__":
    main()
