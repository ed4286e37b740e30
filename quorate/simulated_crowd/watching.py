"""Watches how far a project is while a crowd works on it, and says when all may go home."""

from collections.abc import Callable
from dataclasses import dataclass

from quorate.client import Client, Overview

LOOKS = 240  # in a row that find nothing to do: two minutes. A service with a learner ends a project sooner by itself


@dataclass(eq=False, kw_only=True)
class Watch:
    """Called with the votes so far: whether nothing is left to do. told: hears each overview, such as to draw a bar."""

    client: Client
    project: int
    told: Callable[[Overview], None]
    looks: int = LOOKS
    quiet: int = 0

    def __call__(self, votes: int) -> bool:
        """Look how the project stands."""
        seen = self.client.projects.overview(self.project)
        self.told(seen)
        idle = seen.n_open == 0 and seen.leases == 0
        self.quiet = self.quiet + 1 if idle else 0
        return self.quiet >= self.looks or seen.state not in ("pilot", "running")
