"""Watches how far a project is while a crowd works on it, and says when all may rest or go home."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from quorate.client import Client, Overview
from quorate.client.simulated_crowd.crowd import Order

LOOKS = 240  # in a row that find nobody at work: two minutes. A service with a learner ends a project by itself


@dataclass(eq=False, kw_only=True)
class Watch:
    """Called with the votes so far: what the crowd shall do.

    told: hears each overview, such as to draw a bar. most_behind: votes that the learner may not know yet before the
    crowd rests. People in life are slow beside a machine that learns; those who are faster than life should not win.
    """

    client: Client
    project: int
    told: Callable[[Overview], None]
    most_behind: float = inf
    looks: int = LOOKS
    quiet: int = 0
    last: int = -1

    def __call__(self, votes: int) -> Order:
        """Look how the project stands."""
        seen = self.client.projects.overview(self.project)
        self.told(seen)
        behind = seen.votes - seen.learnt_votes > self.most_behind
        idle = seen.leases == 0 and seen.votes == self.last and not behind
        self.quiet, self.last = self.quiet + 1 if idle else 0, seen.votes
        if self.quiet >= self.looks or seen.state not in ("pilot", "running"):
            return "go home"
        return "rest" if behind else "work"
