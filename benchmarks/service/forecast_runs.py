"""Projects run to their end in process, and every forecast of the finish as the dashboard showed it on the way."""

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.service.forecast_pools import ERROR_COSTS, N_VOTERS, POOLS, Pool
from quorate.service.dashboard.progress import progress
from quorate.service.decisions.activation import start
from quorate.service.forecasts.remaining_engine import LOG_ERROR
from quorate.service.items.insert import BulkItems
from quorate.service.projects.plan import plan_of
from quorate.service.projects.projects import create, get
from quorate.service.projects.settings import ProjectSettings
from quorate.service.store.database import Store
from quorate.service.work.leases import Lease
from quorate.service.work.submit import Answer
from tests.service.conftest import Clock
from tests.service.crowds import World
from tests.service.pools import make_voters

MOMENTS = (0.1, 0.2, 0.4, 0.6, 0.8)  # of the votes in all
NEAR = 0.1  # to such a moment
AT_WORK = 0.25  # of the people, at any time
STEP = 9.0  # seconds: each round may foretell
MOST_STEPS = 600


@dataclass(frozen=True)
class Foretold:
    """A forecast and what came of it. told: as it was shown. made: as it was made, before what was there cut it off."""

    pool: str
    seed: int
    moment: float
    told: dict[str, Any]
    made: dict[str, Any]
    truth: dict[str, float]

    def holds(self, what: str = "votes") -> bool:
        """Whether the band that was shown holds the truth."""
        return bool(self.told[what]["low"] <= self.truth[what] <= self.told[what]["high"])

    @property
    def ratio(self) -> float:
        """Votes in all, over those foretold."""
        return self.truth["votes"] / float(self.told["votes"]["value"])

    @property
    def needed(self) -> float:
        """Smallest LOG_ERROR with which the band would have contained the truth."""
        rest, (least, most) = self.truth["votes"] - self.made["made_at"], self._rest
        above, below = np.log(max(rest, 1.0) / max(most, 1.0)), np.log(max(least, 1.0) / max(rest, 1.0))
        return float(max(above, below, 0.0))

    def width(self, off: float) -> float:
        """Return the width of the band with another LOG_ERROR, divided by the value."""
        least, most = self._rest
        return float((most * np.exp(off) - least * np.exp(-off)) / self.made["votes"]["value"])

    @property
    def _rest(self) -> tuple[float, float]:
        """Votes to come, without and with those on reopened tasks, before LOG_ERROR widens the band."""
        votes, so_far = self.made["votes"], self.made["made_at"]
        return (votes["low"] - so_far) * np.exp(LOG_ERROR), votes["value"] - so_far


@dataclass
class Crowd(World):
    """A project at work on a pool."""

    pool: Pool | None = None

    def answer(self, lease: Lease) -> Answer:
        """What a person says."""
        assert self.pool is not None
        said = self.pool.answer(self.voters.index(self.who), int(self.keys[lease.item_id]), self.rng)
        return Answer(lease.id, f"k{lease.id}", self.pool.classes[said])

    def vote_batch(self, voter: int, batch: int) -> list[Answer]:
        """See World."""
        self.who = voter
        return super().vote_batch(voter, batch)


def foretold(name: str, seed: int) -> list[Foretold]:
    """The forecasts of one project at the moments that count; none where nothing was shown near to one."""
    with at_work(POOLS[name](seed), seed) as crowd:
        shown = list(_until_the_end(crowd))
        with crowd.store.read() as connection:
            at_the_end = progress(connection, get(connection, crowd.project), crowd.clock.now)["forecast"]
    truth = {what: float(at_the_end[what]["value"]) for what in ("votes", "spend")}
    found = []
    for moment in MOMENTS:
        votes, told, made = min(shown, key=lambda one: abs(one[0] / truth["votes"] - moment))
        if told is not None and abs(votes / truth["votes"] - moment) <= NEAR:
            found.append(Foretold(name, seed, moment, told, made, truth))
    return found


def _until_the_end(crowd: Crowd) -> Iterator[tuple[int, dict[str, Any] | None, dict[str, Any]]]:
    """Votes so far, the forecast that is shown, and the one that is kept."""
    for _ in range(MOST_STEPS):
        crowd.people_vote(share=AT_WORK)
        crowd.clock.now += STEP
        crowd.learner.run_due_rounds()
        with crowd.store.read() as connection:
            row = get(connection, crowd.project)
            if row.state == "done":
                return
            yield crowd.bought, progress(connection, row, crowd.clock.now)["forecast"], row.forecast
    raise AssertionError("the project never ends")


@contextmanager
def at_work(pool: Pool, seed: int) -> Iterator[Crowd]:
    """A project on a database of its own."""
    random.seed(seed)  # by which tasks are served in a random order
    rng, clock = np.random.default_rng(1000 + seed), Clock()
    settings = {
        "name": "Forecast",
        "questions": [{"name": "label", "classes": pool.classes}],
        "costs": {"error": ERROR_COSTS[seed % len(ERROR_COSTS)]},
    }
    with tempfile.TemporaryDirectory(prefix="quorate-forecast-") as folder:
        store = Store.open(f"sqlite:///{Path(folder) / 'quorate.db'}", clock=clock)
        store.create_tables()
        with store.write() as connection:
            wanted = ProjectSettings.model_validate(settings | pool.settings)
            project = create(connection, wanted, "benchmark", clock.now)
            BulkItems(pool.items).add(connection, plan_of(connection, project, 1), rng, clock.now)
        start(store, project, "running", "benchmark")
        voters = make_voters(store, project, N_VOTERS)
        voters += make_voters(store, project, pool.experts, kind="expert") if pool.experts else []
        truth: NDArray[np.int64] = pool.truth[:, None]
        yield Crowd(store, clock, project, truth, voters, rng, pool=pool)
        store.close()
