"""Two votes on every item, then only where they pay: what does asking wisely save? On made-up votes.

    python examples/decide.py
    python examples/decide.py --cost-error 50 --tasks 2000

A crowd has eleven votes on every item in store. They are bought in rounds: `decide` says on which items one more vote
is worth its price, the vote is added, and it is decided again.
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from quorate import Decisions, Votes, aggregate, decide, simulate_votes
from quorate.data import ASK

FIRST = 2  # votes on every item before anything is decided


def shown(votes: Votes, number: NDArray[np.int64]) -> Votes:
    """Return the first votes of every task, as many as `number` says."""
    rank = np.empty(len(votes), dtype=np.int64)  # place of each vote among those of its task
    for rows in np.split(np.argsort(votes.task, kind="stable"), np.cumsum(votes.votes_per_task)[:-1]):
        rank[rows] = np.arange(len(rows))
    return votes.subset(rows=rank < number[votes.task])


def ask_where_it_pays(votes: Votes, cost_error: float) -> tuple[Decisions, NDArray[np.int64]]:
    """Decisions when nothing asks any more, or no vote is left, and how many votes of each task were bought."""
    number = np.full(votes.n_tasks, FIRST)
    while True:
        decisions = decide(shown(votes, number), cost_error=cost_error, prices={"crowd": 1})
        more = (decisions.action == ASK) & (number < votes.votes_per_task)
        if not more.any():
            return decisions, number
        number = number + more


def main() -> None:
    """Compare asking where it pays with the same number of votes on every item."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cost-error", type=float, default=20, help="what a wrong label costs, in votes")
    parser.add_argument("--tasks", type=int, default=800, help="how many items there are")
    arguments = parser.parse_args()
    crowd = simulate_votes(n_tasks=arguments.tasks, votes_per_task=11, seed=0)
    print(f"{arguments.tasks:,} items, an error costs {arguments.cost_error:g} votes")
    print(f"{'votes':20} {'votes an item':>14} {'wrong':>8} {'cost an item':>14}")

    def show(name: str, number: float, labels: NDArray[np.int64]) -> None:
        wrong = float(np.mean(labels != crowd.gold))
        print(f"{name:20} {number:14.2f} {wrong:8.1%} {number + arguments.cost_error * wrong:14.2f}")

    for number in (1, 3, 5, 7, 11):
        part = shown(crowd.votes, np.full(arguments.tasks, number))
        show(f"{number} on every item", number, aggregate(part).labels)
    decisions, bought = ask_where_it_pays(crowd.votes, arguments.cost_error)
    show("where a vote pays", float(bought.mean()), decisions.label)
    counts = enumerate(np.bincount(bought))
    print("Items by number of votes:", ", ".join(f"{count:,} with {number}" for number, count in counts if count))


if __name__ == "__main__":
    main()
