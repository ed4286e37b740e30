"""What a run of the demo bought, what it got wrong, and what a fixed number of votes would have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from examples.service_demo.pools import COST, DemoPool
from quorate.client import Ability, Client, FixedVotes, fixed_majority

FIXED = (3, 5)  # votes on every item, the usual way
WHO = ("machine", "crowd", "expert", "excluded")


@dataclass(frozen=True, kw_only=True)
class DemoResult:
    """One run. error: share of items whose label is wrong; by: tasks by who decided; fixed: majorities of 3 and 5."""

    seed: int
    items: int
    votes: int
    expert_votes: int
    spent: float
    error: float
    by: Mapping[str, int]
    fixed: Mapping[int, FixedVotes]
    seconds: float

    @property
    def share_of_votes(self) -> float:
        """Votes bought, as a share of those of a majority of five."""
        return self.votes / self.fixed[5].votes


def result_of(
    client: Client, project: int, pool: DemoPool, people: Sequence[Ability], *, seed: int, seconds: float
) -> DemoResult:
    """Look at what the service decided, and compare it with what is true."""
    seen = client.projects.overview(project)
    said = {
        item["key"]: {task["question"]: task["label"] for task in item["tasks"]}
        for item in client.items.list_all(project)
    }
    workers = client.workers.list_page(project, limit=1000)
    return DemoResult(
        seed=seed,
        items=len(said),
        votes=seen.votes,
        expert_votes=sum(worker.votes for worker in workers if worker.kind == "expert"),
        spent=seen.spent,
        error=sum(not pool.is_right(key, said[key]) for key in pool.truth.keys) / len(pool.truth.keys),
        by=seen.by_status,
        fixed={n: fixed_majority(people, pool.truth, pool.classes, n, holds=pool.holds, seed=seed) for n in FIXED},
        seconds=seconds,
    )


def show_result(found: DemoResult) -> None:
    """Print it as a table: a vote of a worker costs one cent."""
    print(f"\n{found.items:,} items in {found.seconds:.0f} seconds")
    print(f"{'':32} {'votes':>8} {COST:>15} {'wrong':>8}")
    rows = [("this service", found.votes, found.spent, found.error)]
    rows += [(f"{n} votes on everything, majority", one.votes, one.votes, one.error) for n, one in found.fixed.items()]
    for name, votes, cost, error in rows:
        print(f"{name:32} {votes:8,} {cost:15,.0f} {error:8.1%}")
    print("Wrong, in all three rows: measured by the truth, which the demo knows and the service does not.")
    told = ", ".join(f"{found.by[who]:,} by the {who}" for who in WHO[:3] if found.by.get(who))
    print(f"Decided: {told}; votes of the expert: {found.expert_votes:,}.")
    if found.by.get("excluded"):
        print(f"Not asked: {found.by['excluded']:,} criteria of abstracts that another criterion had left out already.")
    print(f"Votes: {found.share_of_votes:.0%} of what a majority of five takes.", flush=True)
