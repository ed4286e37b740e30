"""Result of a run of the demo: votes, cost and errors, compared with a fixed number of votes per item."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from examples.service_demo.pools import COST, CURRENCY, DemoPool
from quorate.client import Ability, Client, FixedVotes, fixed_majority

FIXED = (3, 5)  # votes on every item, as is common practice
DECIDERS = ("machine", "crowd", "expert")
WITH_ERRORS = "cost with errors"
NAMES = {"machine": "classifier"}


@dataclass(frozen=True, kw_only=True)
class DemoResult:
    """Result of one run.

    Attributes:
        seed: seed of the simulated crowd.
        items: number of items.
        votes: votes bought, of workers and the expert.
        expert_votes: votes of the expert.
        spent: money spent.
        error: share of items whose label is wrong.
        error_cost: what a wrong label costs.
        by: number of tasks by who decided.
        fixed: majority votes of 3 and of 5, for comparison.
        seconds: duration of the run.
    """

    seed: int
    items: int
    votes: int
    expert_votes: int
    spent: float
    error: float
    error_cost: float
    by: Mapping[str, int]
    fixed: Mapping[int, FixedVotes]
    seconds: float

    @property
    def share_of_votes(self) -> float:
        """Votes bought, as a share of those of five votes on every item."""
        return self.votes / self.fixed[5].votes


def result_of(
    client: Client, project: int, pool: DemoPool, people: Sequence[Ability], *, seed: int, seconds: float
) -> DemoResult:
    """Return what the service decided, compared with the gold labels."""
    seen = client.projects.overview(project)
    labels = {
        item["key"]: {task["question"]: task["label"] for task in item["tasks"]}
        for item in client.items.list_all(project)
    }
    workers = client.workers.list_page(project, limit=1000)
    return DemoResult(
        seed=seed,
        items=len(labels),
        votes=seen.votes,
        expert_votes=sum(worker.votes for worker in workers if worker.kind == "expert"),
        spent=seen.spent,
        error=sum(not pool.is_right(key, labels[key]) for key in pool.truth.keys) / len(pool.truth.keys),
        error_cost=pool.settings["costs"]["error"],
        by=seen.by_status,
        fixed={n: fixed_majority(people, pool.truth, pool.classes, n, holds=pool.holds, seed=seed) for n in FIXED},
        seconds=seconds,
    )


def show_result(result: DemoResult) -> None:
    """Print a result as a table. A vote of a worker costs one cent."""
    print(f"\n{result.items:,} items in {result.seconds:.0f} seconds")
    print(f"{'':32} {'votes':>8} {COST:>15} {'wrong':>8} {WITH_ERRORS:>17}")
    rows = [("this service", result.votes, result.spent, result.error)]
    rows += [
        (f"{n} votes on every item, majority", fixed.votes, fixed.votes, fixed.error)
        for n, fixed in result.fixed.items()
    ]
    for name, votes, cost, error in rows:
        with_errors = cost + error * result.items * result.error_cost
        print(f"{name:32} {votes:8,} {cost:15,.0f} {error:8.1%} {with_errors:17,.0f}")
    print(f"An error costs {result.error_cost:g} {CURRENCY}, a vote of a worker 1, one of the expert 10.")
    print("Errors are measured with gold labels, which the demo knows and the service does not.")
    decided = ", ".join(f"{result.by[who]:,} by the {NAMES.get(who, who)}" for who in DECIDERS if result.by.get(who))
    print(f"Decided: {decided}; votes of the expert: {result.expert_votes:,}.")
    if result.by.get("excluded"):
        print(
            f"Not asked: {result.by['excluded']:,} criteria of abstracts that another criterion had already excluded."
        )
    print(f"Votes: {result.share_of_votes:.0%} of five votes on every item.", flush=True)
