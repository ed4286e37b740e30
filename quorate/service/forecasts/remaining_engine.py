"""The rest of a question decided by the engine, whose models get better meanwhile, and open some tasks again."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from quorate.data.costs import CROWD
from quorate.decision.base import TAUGHT
from quorate.forecasts.forecast import Band
from quorate.forecasts.rollout import rehearse
from quorate.service.classifiers.item import MediaReader, no_media
from quorate.service.classifiers.softmax import Softmax
from quorate.service.forecasts.remaining import RUNS, Rest, Stage, stage_of
from quorate.service.refit.decide_pool import PoolView, machines_of
from quorate.service.refit.fit import RoundResult
from quorate.service.refit.train import DEFAULT, read_items
from quorate.service.store.database import Store
from quorate.typing import Array

MOST_TAUGHT = 2_000  # tasks: a classifier that was taught more learns little until its next lesson
# Chosen on pools like those of benchmarks/service/forecast.py, which holds them against other runs:
FALL = 0.3  # the rest falls with the votes to this power, as voters and classifier get better known
AGAIN = 0.1  # votes on tasks that later rounds open again, as a share of all before
OFF = 0.57  # in logarithms: four of five times the rest was off by less


@dataclass(frozen=True)
class School:
    """Where the items of a lesson are read."""

    store: Store
    media: MediaReader = no_media

    def said_now(self, one: RoundResult, rows: NDArray[np.int64]) -> Array | None:
        """What the classifier would say of some tasks, out of fold, if it was taught what is believed now.

        None where nothing can be learnt from the items, or a lesson takes too long for a forecast.
        """
        snapshot, is_quick = one.view.snapshot, one.view.plan.settings.learner.name == DEFAULT
        if not is_quick or not 0 < len(one.believed) <= MOST_TAUGHT:
            return None
        taught = read_items(self.store, snapshot.items[snapshot.informed])
        classifier = Softmax.fit(taught, one.believed, self.media)
        if classifier is None:
            return None
        return classifier.predict_proba(
            read_items(self.store, snapshot.items[rows]), snapshot.informed[rows], self.media
        )


def rest_of_learning(school: School, one: RoundResult, is_open: NDArray[np.bool_]) -> Rest:
    """What is still to come, played by the models as they are; a classifier that the votes teach, as if just taught.

    It is taught only now and then: as it is, it asks about twice too much early on. Just taught, it may also ask about
    tasks that are decided by now.
    """
    view, n_votes = one.view, len(one.view.snapshot.votes)
    stage = _just_taught(school, one) if view.machine == TAUGHT else None
    played = _played(view, stage or stage_of(view, is_open))
    to_come, again = while_learning(float(played.sum()), n_votes), AGAIN * n_votes
    price, of_crowd = _price(view, played), view.asked.policy.prices.votes.get(CROWD, 0.0)
    found = Rest(off(to_come, again), off(to_come * price, again * of_crowd))
    if is_open.any():
        return found
    return Rest(replace(found.votes, low=0.0), replace(found.spend, low=0.0))  # it may end here


def off(to_come: float, again: float) -> Band:
    """So much is to come, and again, which may be nothing: with how far that may be off.

    >>> band = off(100.0, 10.0)
    >>> round(band.low), round(band.value), round(band.high)
    (57, 110, 195)
    """
    value = to_come + again
    return Band(value=value, low=to_come * float(np.exp(-OFF)), high=value * float(np.exp(OFF)))


def while_learning(rest: float, n_votes: int) -> float:
    """Votes to come, if there would be so many where nothing more is learnt, and that falls as n ** -FALL with votes.

    The solution of d(share that is done) / dn = 1 / rest(n).

    >>> round(while_learning(1000, 200)), round(while_learning(10, 1000), 1), while_learning(0, 50)
    (742, 10.0, 0.0)
    """
    power = 1 + FALL
    return float(n_votes * ((1 + power * rest / n_votes) ** (1 / power) - 1)) if n_votes else rest


def _just_taught(school: School, one: RoundResult) -> Stage | None:
    """All tasks that are not known, as they would look after a lesson now."""
    view = one.view
    stage = stage_of(view, view.snapshot.gold < 0, others=MOST_TAUGHT)
    said = school.said_now(one, stage.rows)
    if said is None:
        return None
    state, machines = stage.state, machines_of(view.machine, said.astype(np.float32))
    model = view.asked.policy.fit(state.votes, machines, state.gold, view.model)
    return replace(stage, state=replace(state, machines=machines, model=model))


def _played(view: PoolView, stage: Stage) -> Array:
    """Votes to come by kind of voter, in the whole pool."""
    votes: Array = rehearse(view.asked.policy, stage.state, runs=RUNS, left=stage.left).votes.mean(axis=0)
    return votes * stage.scale


def _price(view: PoolView, votes: Array) -> float:
    """Of one vote, on the average."""
    prices = view.asked.policy.prices
    return float(votes @ [prices.of(kind) for kind in prices.kinds] / max(votes.sum(), 1e-300))
