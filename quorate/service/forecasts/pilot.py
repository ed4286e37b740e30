"""Estimate after a pilot: remaining votes, spend, days and errors of a project, by strategy."""

import logging
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
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
from quorate.service.decisions.evidence import has_experts
from quorate.service.decisions.model_versions import current_model
from quorate.service.forecasts.proportional import estimate_screening
from quorate.service.forecasts.remaining import band_to_json, sum_bands
from quorate.service.money import from_money
from quorate.service.projects import timeline
from quorate.service.projects.plan import Plan, QuestionPlan, plan_of
from quorate.service.projects.projects import ESTIMATE, get
from quorate.service.projects.settings import BASELINES
from quorate.service.refit.snapshot import Snapshot, read_snapshot
from quorate.service.refit.train import read_items
from quorate.service.store.database import Store
from quorate.service.store.tables import projects, tasks, votes
from quorate.typing import Array

MAX_TASKS, RUNS = 1_000, 5  # tasks and runs that are simulated; larger pools are scaled up
MAX_FEATURES = 4_096
DAY = 86_400.0
ALL_CRITERIA = "all criteria"  # name of the estimate of a screening project
ENGINE = "engine"  # the policy of the project
NO_EXPERT = (
    "Experts have a price, but this project has no expert: the estimate counts on the crowd alone. "
    "Invite an expert, or remove the price."
)
logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Sample:
    """A question after the pilot, with a sample of the tasks that are still to come.

    Attributes:
        plan: plan of the project.
        question: plan of the question.
        snapshot: tasks of the pilot and of the sample.
        audit: (n_tasks,), labels of experts in the audit; -1 where there is none.
        x: (n_tasks, n_features), features; None if there are none.
        n_left: number of tasks to come in the pool.
        scale: tasks to come in the pool for each one in the sample.
        votes_per_day: rate of the votes so far; None if it is unknown.
        experts: whether the project has experts.
        has_classifier: whether the pilot has trained a classifier.
        classifier_spend: price of the classifier on items that are not charged yet, divided among the questions.
    """

    plan: Plan
    question: QuestionPlan
    snapshot: Snapshot
    audit: NDArray[np.int64]
    x: Array | None
    n_left: int
    scale: float
    votes_per_day: float | None
    experts: bool
    has_classifier: bool
    classifier_spend: float

    @property
    def available(self) -> list[str]:
        """Annotator kinds that can be asked, as in live decisions."""
        return [kind for kind in self.question.policy.prices.kinds if kind != EXPERT or self.experts]


def pilots_without_estimate(connection: Connection) -> list[int]:
    """Return the projects whose pilot has ended and that have no estimate yet."""
    waiting = projects.c.state == ESTIMATE, projects.c.estimate.is_(None)
    return list(connection.execute(select(projects.c.id).where(*waiting)).scalars())


def estimate(store: Store, project_id: int, media: MediaReader) -> dict[str, Any]:
    """Estimate remaining votes, spend, days and errors by question and strategy; store and return the estimate."""
    with store.read() as connection:
        row = get(connection, project_id)
        plan = plan_of(connection, project_id, row.settings_version)
        warnings = _warnings(plan, experts=has_experts(connection, plan))
    if plan.is_screening:
        with store.read() as connection:
            questions = {ALL_CRITERIA: estimate_screening(connection, plan, row.open_draw)}
    else:
        questions = {
            question.question.name: _estimate_question(store, plan, question, media)
            for question in plan.questions.values()
        }
    result = {"at": store.clock(), "spent": from_money(row.spent), "questions": questions, "warnings": warnings}
    with store.write() as connection:
        n_votes = timeline.count_project(connection, project_id).votes
        values = {"estimate": result, "forecast": _total_forecast(result, n_votes)}
        connection.execute(update(projects).where(projects.c.id == project_id).values(values))
    return result


def _warnings(plan: Plan, *, experts: bool) -> list[str]:
    """Return what a requester should know before relying on the estimate."""
    return [NO_EXPERT] if EXPERT in plan.settings.prices.votes and not experts else []


def _total_forecast(estimate: dict[str, Any], n_votes: int) -> dict[str, Any] | None:
    """Return the estimate as a forecast of the whole project under its own policy. n_votes: votes so far."""
    remaining = [question["strategies"].get(ENGINE) for question in estimate["questions"].values()]
    if not remaining or None in remaining:
        return None
    days = [strategy["days"] for strategy in remaining]
    errors = [strategy["errors"] for strategy in remaining]
    return {
        "at": estimate["at"],
        "made_at": n_votes,
        "spend": band_to_json(_sum([strategy["spend"] for strategy in remaining]).plus(estimate["spent"])),
        "votes": band_to_json(_sum([strategy["votes"] for strategy in remaining]).plus(n_votes)),
        "days": None if None in days else max(days, key=lambda band: band["value"]),  # questions run in parallel
        "errors": None if None in errors else band_to_json(_sum(errors)),
    }


def _sum(bands: list[dict[str, float]]) -> Band:
    return sum_bands([Band(**band) for band in bands])


def _estimate_question(store: Store, plan: Plan, question: QuestionPlan, media: MediaReader) -> dict[str, Any]:
    """Estimate one question; a failure leaves out its strategies, since it must not stop the learner."""
    sample = _draw_sample(store, plan, question, media)
    try:
        return {"items_left": sample.n_left, "strategies": _strategies(sample)}
    except QuorateError:
        logger.exception("project %s: estimate of question %s failed", plan.id, question.id)
        return {"items_left": sample.n_left, "strategies": {}}


def _strategies(sample: Sample) -> dict[str, dict[str, Any]]:
    policy = sample.question.policy
    charged = sample.has_classifier and bool(sample.question.machine_cost)
    strategies = {ENGINE: _add_classifier_spend(sample, _simulate(sample, policy, sample.x), charged=charged)}
    if CROWD in policy.prices.kinds:
        strategies["crowd_only"] = _simulate(sample, _policy_by_name(sample, "crowd_only"), None)
        price = policy.prices.of(CROWD)
        strategies |= {f"fixed_{n}": _fixed_votes(sample, n, price) for n in BASELINES}
    strategies["machine_only"] = _add_classifier_spend(sample, _fixed_votes(sample, 0, 0.0), charged=True)
    return strategies


def _add_classifier_spend(sample: Sample, strategy: dict[str, Any], *, charged: bool) -> dict[str, Any]:
    """Return a strategy with the price of the classifier added to its spend, where it is charged."""
    if not charged:
        return strategy
    return strategy | {"spend": band_to_json(Band(**strategy["spend"]).plus(sample.classifier_spend))}


def _policy_by_name(sample: Sample, name: str) -> Policy:
    policy = sample.question.policy
    return policy_of(name, sample.question.n_classes, costs=policy.costs, prices=policy.prices)


def _simulate(sample: Sample, policy: Policy, x: Array | None) -> dict[str, Any]:
    """Forecast a strategy by simulation of its policy, from the votes of the pilot."""
    snapshot = sample.snapshot
    if not len(snapshot.votes) or not sample.n_left:
        return _fixed_votes(sample, 0, 0.0)
    result = forecast(
        snapshot.votes,
        x=x,
        gold=np.where(sample.audit >= 0, -1, snapshot.gold),
        audit=sample.audit,
        policy=policy,
        most_votes=sample.question.max_votes,
        available=sample.available,
        runs=RUNS,
    )
    votes_left = _remaining(result.votes, result.n_votes, sample)
    return _to_json(sample, votes_left, _remaining(result.spend, result.spent, sample), result)


def _remaining(band: Band, so_far: float, sample: Sample) -> Band:
    """Subtract the amount so far, and scale to the whole pool."""
    return band.plus(-so_far).times(sample.scale)


def _fixed_votes(sample: Sample, n_votes: int, price: float) -> dict[str, Any]:
    """Return the strategy of n votes on every item, which needs no simulation."""
    n = float(n_votes * sample.n_left)
    band = Band(value=n, low=n, high=n)
    return _to_json(sample, band, band.times(price))


def _to_json(sample: Sample, votes_left: Band, spend_left: Band, result: Forecast | None = None) -> dict[str, Any]:
    rate = sample.votes_per_day
    errors = None if result is None or result.errors is None else result.errors.times(sample.scale)
    return {
        "votes": band_to_json(votes_left),
        "spend": band_to_json(spend_left),
        "days": None if not rate else band_to_json(votes_left.times(1 / rate)),
        "errors": None if errors is None else band_to_json(errors),
    }


def _draw_sample(store: Store, plan: Plan, question: QuestionPlan, media: MediaReader) -> Sample:
    with store.read() as connection:
        n_tasks, max_draw = _sample_limits(connection, question)
        snapshot = read_snapshot(connection, plan.id, question, max_draw)
        audited = select(tasks.c.id).where(tasks.c.question_id == question.id, tasks.c.audited.is_(True))
        is_audited = np.isin(snapshot.ids, list(connection.execute(audited).scalars()))
        rate = _votes_per_day(connection, question)
        experts = has_experts(connection, plan)
        model = current_model(connection, question.id)
        n_uncharged = count_uncharged(connection, plan)
    n_done = int(snapshot.informed.sum())
    n_left, n_sampled = n_tasks - n_done, len(snapshot.ids) - n_done
    return Sample(
        plan=plan,
        question=question,
        snapshot=snapshot,
        audit=np.where(is_audited & snapshot.by_expert, snapshot.gold, -1),
        x=_features(store, plan, snapshot, media),
        n_left=n_left,
        scale=n_left / n_sampled if n_sampled else 0.0,
        votes_per_day=rate,
        experts=experts,
        has_classifier=model is not None and model.machine is not None,
        classifier_spend=plan.settings.prices.machine * n_uncharged / len(plan.questions),
    )


def _sample_limits(connection: Connection, question: QuestionPlan) -> tuple[int, float]:
    """Return the number of tasks, and the draw up to which tasks are in the sample."""
    is_own = tasks.c.question_id == question.id
    n_tasks = connection.execute(select(func.count()).where(is_own)).scalar_one()
    query = select(tasks.c.draw).where(is_own).order_by(tasks.c.draw).offset(MAX_TASKS).limit(1)
    max_draw = connection.execute(query).scalar()
    return n_tasks, 1.0 if max_draw is None else float(max_draw)


def _votes_per_day(connection: Connection, question: QuestionPlan) -> float | None:
    times = select(func.count(), func.min(votes.c.given_at), func.max(votes.c.given_at))
    n, first, last = connection.execute(times.where(votes.c.question_id == question.id)).one()
    return n / (last - first) * DAY if n > 1 and last > first else None


def _features(store: Store, plan: Plan, snapshot: Snapshot, media: MediaReader) -> Array | None:
    if plan.settings.learner.name == "none":
        return None
    items = read_items(store, snapshot.items)
    extractor = fit_extractor(items, media)
    if extractor is None:
        return None
    x = extractor.transform(items, media)
    if x.shape[1] > MAX_FEATURES:
        return None
    dense: Array = np.asarray(x.toarray() if hasattr(x, "toarray") else x, dtype=np.float64)
    return dense
