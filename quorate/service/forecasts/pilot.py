"""What the rest of a project will cost, by strategy: what a requester looks at after the pilot."""

import logging
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, select, update

from quorate.api.forecast import forecast
from quorate.data.costs import CROWD, EXPERT
from quorate.decision.base import Policy
from quorate.decision.policy_by_name import policy_of
from quorate.errors import QuorateError
from quorate.forecasts.forecast import Band, Forecast
from quorate.service.classifiers.features import fit_extractor
from quorate.service.classifiers.item import MediaReader
from quorate.service.decisions.classifier_charges import count_uncharged
from quorate.service.decisions.decide import has_experts
from quorate.service.decisions.model_versions import current_model
from quorate.service.forecasts.bands import added, shown
from quorate.service.forecasts.proportional import in_proportion
from quorate.service.money import from_money
from quorate.service.projects import projects as project_cases
from quorate.service.projects import timeline as points
from quorate.service.projects.plan import Plan, QuestionPlan, plan_of
from quorate.service.projects.settings import BASELINES
from quorate.service.refit.snapshot import Snapshot, read_snapshot
from quorate.service.refit.train import read_items
from quorate.service.store.database import Store
from quorate.service.store.tables import projects, tasks, votes
from quorate.typing import Array

MOST, RUNS = 1_000, 5  # tasks and runs that are simulated; larger pools are scaled up
MOST_FEATURES = 4_096
DAY = 86_400.0
TOGETHER = "all criteria"  # of a screening project
logger = logging.getLogger(__name__)
ENGINE = "engine"  # the project's own policy
NO_EXPERT = (
    "Experts have a price, but this project has no expert: the estimate counts on the crowd alone. "
    "Invite an expert, or remove the price."
)


@dataclass(frozen=True, eq=False)
class Sample:
    """A question as the pilot left it, and some of the tasks that are still to come. x: their features, if any.

    left: how many tasks of the pool are to come for each one of the sample. experts: whether there are any to ask.
    machine_in_use: whether the pilot has taught a classifier. machine_spend: its price on the items that it was not
    charged for yet, shared by all questions.
    """

    plan: Plan
    asked: QuestionPlan
    snapshot: Snapshot
    audit: np.ndarray[Any, np.dtype[np.int64]]
    x: Array | None
    n_left: int
    scale: float
    votes_per_day: float | None
    experts: bool
    machine_in_use: bool
    machine_spend: float

    @property
    def available(self) -> list[str]:
        """The kinds of voters who can be asked, as in live decisions."""
        return [kind for kind in self.asked.policy.prices.kinds if kind != EXPERT or self.experts]


def pilots_without_estimate(connection: Connection) -> list[int]:
    """Projects whose pilot has ended, and that wait for their estimate."""
    waiting = projects.c.state == project_cases.ESTIMATE, projects.c.estimate.is_(None)
    return list(connection.execute(select(projects.c.id).where(*waiting)).scalars())


def estimate(store: Store, project_id: int, media: MediaReader) -> dict[str, Any]:
    """By question and strategy: spend in all, votes, days and errors, each with its band; and write it down."""
    with store.read() as connection:
        row = project_cases.get(connection, project_id)
        plan = plan_of(connection, project_id, row.settings_version)
        warnings = _warnings(plan, experts=has_experts(connection, plan))
    if plan.is_screening:
        with store.read() as connection:
            found = {TOGETHER: in_proportion(connection, plan, row.open_draw)}
    else:
        found = {asked.question.name: _estimated(store, plan, asked, media) for asked in plan.questions.values()}
    whole = {"at": store.clock(), "spent": from_money(row.spent), "questions": found, "warnings": warnings}
    with store.write() as connection:
        values = {"estimate": whole, "forecast": _in_all(whole, points.stand_of(connection, project_id).votes)}
        connection.execute(update(projects).where(projects.c.id == project_id).values(values))
    return whole


def _warnings(plan: Plan, *, experts: bool) -> list[str]:
    """What a requester should know before relying on the estimate."""
    return [NO_EXPERT] if EXPERT in plan.settings.prices.votes and not experts else []


def _in_all(estimate: dict[str, Any], n_votes: int) -> dict[str, Any] | None:
    """The same as a forecast of the whole project, if it goes on by its own policy; n_votes: so far."""
    rests = [one["strategies"].get(ENGINE) for one in estimate["questions"].values()]
    if not rests or None in rests:
        return None
    days = [one["days"] for one in rests]
    return {
        "at": estimate["at"],
        "made_at": n_votes,
        "spend": shown(added([Band(**one["spend"]) for one in rests]).plus(estimate["spent"])),
        "votes": shown(added([Band(**one["votes"]) for one in rests]).plus(n_votes)),
        "days": None if None in days else max(days, key=lambda band: band["value"]),  # side by side
        "errors": None if None in (errors := [one["errors"] for one in rests]) else _sum(errors),
    }


def _sum(bands: list[dict[str, float]]) -> dict[str, float]:
    return shown(added([Band(**band) for band in bands]))


def _estimated(store: Store, plan: Plan, asked: QuestionPlan, media: MediaReader) -> dict[str, Any]:
    """What is still to come of one question; nothing where it cannot be told, which must not stop the learner."""
    sample = _sample(store, plan, asked, media)
    try:
        return {"items_left": sample.n_left, "strategies": _strategies(sample)}
    except QuorateError:
        logger.exception("the rest of question %s cannot be estimated", asked.id)
        return {"items_left": sample.n_left, "strategies": {}}


def _strategies(sample: Sample) -> dict[str, dict[str, Any]]:
    policy = sample.asked.policy
    charged = sample.machine_in_use and bool(sample.asked.machine_cost)
    found = {ENGINE: _and_machine(sample, _simulated(sample, policy, sample.x), charged=charged)}
    if CROWD in policy.prices.kinds:
        found["crowd_only"] = _simulated(sample, _other(sample, "crowd_only"), None)
        price = policy.prices.of(CROWD)
        found |= {f"fixed_{n}": _known(sample, n, price) for n in BASELINES}
    found["machine_only"] = _and_machine(sample, _known(sample, 0, 0.0), charged=True)
    return found


def _and_machine(sample: Sample, strategy: dict[str, Any], *, charged: bool) -> dict[str, Any]:
    """Return a strategy with the price of the classifier added to its spend, where it is charged."""
    if not charged:
        return strategy
    return strategy | {"spend": shown(Band(**strategy["spend"]).plus(sample.machine_spend))}


def _other(sample: Sample, name: str) -> Policy:
    policy = sample.asked.policy
    return policy_of(name, sample.asked.n_classes, costs=policy.costs, prices=policy.prices)


def _simulated(sample: Sample, policy: Policy, x: Array | None) -> dict[str, Any]:
    """By simulation of the very policy, from the votes of the pilot."""
    snapshot = sample.snapshot
    if not len(snapshot.votes) or not sample.n_left:
        return _known(sample, 0, 0.0)
    known = np.where(sample.audit >= 0, -1, snapshot.gold)
    found = forecast(
        snapshot.votes,
        x=x,
        gold=known,
        audit=sample.audit,
        policy=policy,
        most_votes=sample.asked.most_votes,
        available=sample.available,
        runs=RUNS,
    )
    return _told(sample, _rest(found.votes, found.n_votes, sample), _rest(found.spend, found.spent, sample), found)


def _rest(band: Band, so_far: float, sample: Sample) -> Band:
    """What is still to come of a number, in the whole pool."""
    return band.plus(-so_far).times(sample.scale)


def _known(sample: Sample, n_votes: int, price: float) -> dict[str, Any]:
    """So many votes on every item: nothing to simulate."""
    votes = float(n_votes * sample.n_left)
    band = Band(value=votes, low=votes, high=votes)
    return _told(sample, band, band.times(price))


def _told(sample: Sample, votes_left: Band, spend_left: Band, found: Forecast | None = None) -> dict[str, Any]:
    rate = sample.votes_per_day
    errors = None if found is None or found.errors is None else found.errors.times(sample.scale)
    return {
        "votes": shown(votes_left),
        "spend": shown(spend_left),
        "days": None if not rate else shown(votes_left.times(1 / rate)),
        "errors": None if errors is None else shown(errors),
    }


def _sample(store: Store, plan: Plan, asked: QuestionPlan, media: MediaReader) -> Sample:
    with store.read() as connection:
        n_tasks, reach = _reach(connection, asked)
        snapshot = read_snapshot(connection, plan.id, asked, reach)
        audited = select(tasks.c.id).where(tasks.c.question_id == asked.id, tasks.c.audited.is_(True))
        drawn = np.isin(snapshot.ids, list(connection.execute(audited).scalars()))
        rate = _rate(connection, asked)
        experts = has_experts(connection, plan)
        model = current_model(connection, asked.id)
        n_uncharged = count_uncharged(connection, plan)
    n_done = int(snapshot.informed.sum())
    n_left, n_shown = n_tasks - n_done, len(snapshot.ids) - n_done
    return Sample(
        plan=plan,
        asked=asked,
        snapshot=snapshot,
        audit=np.where(drawn & snapshot.by_expert, snapshot.gold, -1),
        x=_features(store, plan, snapshot, media),
        n_left=n_left,
        scale=n_left / n_shown if n_shown else 0.0,
        votes_per_day=rate,
        experts=experts,
        machine_in_use=model is not None and model.machine is not None,
        machine_spend=plan.settings.prices.machine * n_uncharged / len(plan.questions),
    )


def _reach(connection: Connection, asked: QuestionPlan) -> tuple[int, float]:
    """How many tasks there are, and up to which draw some more than the pilot's are looked at."""
    own = tasks.c.question_id == asked.id
    n_tasks = connection.execute(select(func.count()).where(own)).scalar_one()
    place = select(tasks.c.draw).where(own).order_by(tasks.c.draw).offset(MOST).limit(1)
    reach = connection.execute(place).scalar()
    return n_tasks, 1.0 if reach is None else float(reach)


def _rate(connection: Connection, asked: QuestionPlan) -> float | None:
    """Votes a day, so far."""
    times = select(func.count(), func.min(votes.c.given_at), func.max(votes.c.given_at))
    n, first, last = connection.execute(times.where(votes.c.question_id == asked.id)).one()
    return n / (last - first) * DAY if n > 1 and last > first else None


def _features(store: Store, plan: Plan, snapshot: Snapshot, media: MediaReader) -> Array | None:
    if plan.settings.learner.name == "none":
        return None
    items = read_items(store, snapshot.items)
    extractor = fit_extractor(items, media)
    if extractor is None:
        return None
    rows = extractor.transform(items, media)
    if rows.shape[1] > MOST_FEATURES:
        return None
    dense: Array = np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)
    return dense
