"""Monitor of a project while a crowd works on it, which decides when the crowd pauses or stops."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from quorate.client import Client, Overview
from quorate.client.simulated_crowd.crowd import Order

MAX_IDLE_LOOKS = 240  # consecutive looks without activity, two minutes; a service with a learner ends a project itself


@dataclass(eq=False, kw_only=True)
class Watch:
    """Monitor that is called with the number of votes so far, and returns what the crowd does next.

    Args:
        client: client of a user who may read the project.
        project: number of the project.
        told: called with each overview, for example to draw a progress bar.
        most_behind: votes that the learner may not have used yet before the crowd pauses. Real people are slow compared
            with a classifier in training; a simulated crowd that is faster should not outrun it.
        looks: consecutive looks without activity after which the crowd stops.
        quiet: number of consecutive looks without activity so far.
        last: number of votes at the last look.
    """

    client: Client
    project: int
    told: Callable[[Overview], None]
    most_behind: float = inf
    looks: int = MAX_IDLE_LOOKS
    quiet: int = 0
    last: int = -1

    def __call__(self, votes: int) -> Order:
        """Look at the project, and return what the crowd does next."""
        overview = self.client.projects.overview(self.project)
        self.told(overview)
        behind = overview.votes - overview.learnt_votes > self.most_behind
        idle = overview.leases == 0 and overview.votes == self.last and not behind
        self.quiet, self.last = self.quiet + 1 if idle else 0, overview.votes
        if self.quiet >= self.looks or overview.state not in ("pilot", "running"):
            return "go home"
        return "rest" if behind else "work"
