"""The next batch under a budget, and what becomes of the rest when the money ends."""

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import in_shape
from quorate.data.costs import Prices
from quorate.data.decisions import ACCEPT, ASK, NOBODY, UNCLASSIFIABLE, UNDECIDED, Decisions
from quorate.data.option_checks import require_choice, require_number
from quorate.decision.batch import AUDIT, EXPLOIT, LEARN, Batch, affordable
from quorate.decision.diversity import fair_share, places, spread_out
from quorate.errors import MethodError
from quorate.typing import Array

SPENT = "the money is spent"

Rest = Literal["cheapest", "undecided"]  # what becomes of tasks whose next vote is not paid


def choose(
    decisions: Decisions,
    prices: Prices,
    *,
    budget: float,
    size: int,
    learning: ArrayLike = 0.0,
    teacher: int = 0,
    clusters: ArrayLike | None = None,
    can_ask: ArrayLike | None = None,
    audit_share: float = 0.0,
    auditor: int = NOBODY,
    seed: int = 0,
) -> Batch:
    """The next batch: the most expected saving per price, within the budget.

    learning: what a label of a task is expected to save through the classifier, before its price: one number for all
    (`LearningCurve.saving`) or one per task, such as zero for those it has been taught. Each slot goes to the larger of
    that and the decision's own value, per price. teacher: the kind of voter to learn from. clusters: (n_tasks,), of
    tasks that look alike; none gets more than twice its fair share. can_ask: (n_tasks, n_kinds), whom each task can
    still ask, as `open` of PoolState. audit_share: at most this share of the slots, and of the budget, goes to random
    accepted tasks that a kind of voter, the `auditor`, labels. Ties are drawn by the seed, so that where all labels
    teach alike random tasks are chosen.

    Votes that no longer fit into the budget are passed over for cheaper ones. A larger budget never saves less: the
    first task that only it can buy saves more than all that the smaller one buys from there on.

    >>> from quorate.data.costs import Costs
    >>> from quorate.decision.screening.screen import screen
    >>> costs, prices = Costs.binary(false_positive=50, false_negative=50), Prices(votes={"trial": 1, "adults": 2})
    >>> probs, said = [[0.5, 0.9], [0.6, 0.7], [0.99, 1.0]], [[0.9, 0.1], [0.1, 0.9]]
    >>> decisions = screen(probs, costs, [1, 2], said, criteria=prices.kinds)
    >>> batch = choose(decisions, prices, budget=1, size=10)
    >>> batch, batch.rows.tolist()
    (Batch(1 tasks for 1: 1 to exploit), [0])
    """
    n_tasks, n_kinds = len(decisions.tasks), len(decisions.kinds)
    _require_these(budget, size, audit_share, auditor, teacher, n_kinds)
    price = np.array([prices.of(kind) for kind in decisions.kinds])
    free = in_shape(True if can_ask is None else can_ask, (n_tasks, n_kinds), "can_ask").astype(bool)
    accepted = np.flatnonzero((decisions.action == ACCEPT) & free[:, auditor])
    n_audits = _how_many(audit_share, size, budget, float(price[auditor]), seed)
    drawn = np.random.default_rng([seed, AUDIT]).permutation(accepted)[:n_audits]
    audits = Batch.of(drawn, auditor, price[auditor], AUDIT)
    wanted = _wanted(decisions, free, price, in_shape(learning, (n_tasks,), "learning"), teacher)
    wanted = _most_saving_first(wanted.take(~np.isin(wanted.rows, audits.rows)), seed)
    slots = size - len(audits)
    if clusters is not None:
        ids = in_shape(clusters, (n_tasks,), "clusters").astype(np.int64)[wanted.rows]
        wanted = wanted.take(places(ids) < fair_share(ids, slots))
    return wanted.take(affordable(wanted.committed, budget - float(audits.committed.sum()), slots)).join(audits)


def first_batch(
    n_tasks: int,
    price: float,
    *,
    budget: float,
    size: int,
    votes: int = 3,
    ask: int = 0,
    predicted: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    seed: int = 0,
) -> Batch:
    """Cold start: several votes on tasks spread over predicted classes, then over clusters; where both lack, random.

    price: of one vote. votes: how many on each task, so that it shows how far people agree.

    >>> first_batch(1000, 1.0, budget=60, size=100)
    Batch(20 tasks for 60: 20 to learn)
    """
    classes = None if predicted is None else in_shape(predicted, (n_tasks,), "predicted").astype(np.int64)
    ids = None if clusters is None else in_shape(clusters, (n_tasks,), "clusters").astype(np.int64)
    batch = Batch.of(spread_out(classes, ids, n_tasks, seed), ask, votes * price, LEARN, votes=votes)
    return batch.take(affordable(batch.committed, budget, size))


def settle(decisions: Decisions, prices: Prices, *, budget: float, rest: Rest = "cheapest") -> Decisions:
    """What becomes of tasks whose next vote costs more than the money left: their cheapest label, or none for now.

    A task whose cheapest answer is to give no label becomes unclassifiable. The value still says what a vote would have
    saved. Where a cheaper kind of voter could still be paid, decide again with the dear ones closed first.
    """
    require_choice("rest", rest, Rest)
    price = np.array([prices.of(kind) for kind in decisions.kinds])
    ended = (decisions.action == ASK) & (price[decisions.ask] > budget)
    given = np.where(decisions.label == NOBODY, UNCLASSIFIABLE, ACCEPT) if rest == "cheapest" else UNDECIDED
    return replace(
        decisions,
        action=np.where(ended, given, decisions.action).astype(np.int8),
        ask=np.where(ended, NOBODY, decisions.ask).astype(np.int8),
        reason=np.where(ended, len(decisions.reasons), decisions.reason).astype(np.int8),
        reasons=(*decisions.reasons, SPENT),
    )


def _wanted(decisions: Decisions, free: NDArray[np.bool_], price: Array, learning: Array, teacher: int) -> Batch:
    """Every task that is worth a vote, for the purpose that saves more per price."""
    asks = (decisions.action == ASK) & free[np.arange(len(free)), decisions.ask]
    may_teach = np.isin(decisions.action, (ACCEPT, ASK)) & free[:, teacher]
    exploit = np.where(asks, decisions.value, 0.0)
    learn = np.where(may_teach, learning - price[teacher], 0.0)
    own_price = np.where(asks, price[decisions.ask], 0.0)
    # a / b > c / d, without dividing by a vote that costs nothing
    teaches = (learn > 0) & ((exploit <= 0) | (learn * own_price > exploit * price[teacher]))
    purpose = np.where(teaches, LEARN, EXPLOIT)
    whom = np.where(teaches, teacher, decisions.ask)
    saving = np.where(teaches, learn, exploit)
    every = Batch.of(np.arange(len(free)), whom, price[whom], purpose, saving=saving)
    return every.take(saving > 0)


def _most_saving_first(wanted: Batch, seed: int) -> Batch:
    """By saving per price; free votes first of all."""
    paid = wanted.committed > 0
    ratio = np.divide(wanted.saving, wanted.committed, out=np.full(len(wanted), np.inf), where=paid)
    ties = np.random.default_rng([seed, EXPLOIT]).random(len(wanted))
    return wanted.take(np.lexsort((ties, -ratio)))


def _how_many(share: float, size: int, budget: float, price: float, seed: int) -> int:
    """Audits that this share of the slots and of the money allows; part of a slot is one now and then."""
    slots = int(share * size + np.random.default_rng([seed, LEARN]).random())
    return min(slots, int(share * budget / price) if price > 0 else slots)


def _require_these(budget: float, size: int, audit_share: float, auditor: int, teacher: int, n_kinds: int) -> None:
    require_number("the budget left", budget, at_least=0, finite=False)
    require_number("the size of a batch", size, at_least=0, whole=True)
    require_number("audit_share", audit_share, at_least=0, at_most=1)
    if audit_share > 0 and not 0 <= auditor < n_kinds:
        raise MethodError(f"auditor must be a kind of voter in [0, {n_kinds}), got {auditor}: say who audits")
    if not 0 <= teacher < n_kinds:
        raise MethodError(f"teacher must be a kind of voter in [0, {n_kinds}), got {teacher}")
