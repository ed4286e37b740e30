"""Selection of the next batch within a budget, and what to do with the other tasks when the budget is spent."""

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import in_shape
from quorate.data.costs import Prices
from quorate.data.decisions import ACCEPT, ASK, NOBODY, UNCLASSIFIABLE, UNDECIDED, Decisions
from quorate.data.option_checks import require_choice, require_number
from quorate.decision.batch import AUDIT, EXPLOIT, LEARN, Batch, affordable
from quorate.decision.diversity import fair_share, rank_in_group, spread_order
from quorate.errors import MethodError
from quorate.typing import Array

SPENT = "the budget is spent"

Rest = Literal["cheapest", "undecided"]  # tasks whose next vote is not paid: accept the cheapest label, or none yet


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
    """Choose the next batch: the votes with the largest expected saving per price, within the budget.

    Each slot goes to the larger of the value of the task's own decision and the value of a label for the classifier,
    per price. Votes that no longer fit the budget are skipped in favour of cheaper ones. A larger budget never saves
    less: the first task that only the larger budget can buy saves more than all that the smaller one buys after it.

    Args:
        decisions: decisions of a policy or of `screen`.
        prices: price of a vote of each annotator kind.
        budget: money left.
        size: number of tasks, at most.
        learning: what a label of a task is expected to save by improving the classifier, before its price: one number
            for all (`LearningCurve.saving`) or one per task, such as zero for those it was already trained on.
        teacher: annotator kind that labels tasks for the classifier.
        clusters: (n_tasks,), clusters of similar tasks; none gets more than twice its fair share.
        can_ask: (n_tasks, n_kinds), which kinds can still be asked about each task, as `open` of PoolState.
        audit_share: share of the slots and of the budget, at most, for an audit of random accepted tasks.
        auditor: annotator kind that audits.
        seed: breaks ties at random, so that random tasks are chosen where all labels are equally useful.

    >>> from quorate.data.costs import Costs
    >>> from quorate.decision.screening.screen import screen
    >>> costs, prices = Costs.binary(false_positive=50, false_negative=50), Prices(votes={"trial": 1, "adults": 2})
    >>> probs, answers = [[0.5, 0.9], [0.6, 0.7], [0.99, 1.0]], [[0.9, 0.1], [0.1, 0.9]]
    >>> decisions = screen(probs, costs, [1, 2], answers, criteria=prices.kinds)
    >>> batch = choose(decisions, prices, budget=1, size=10)
    >>> batch, batch.rows.tolist()
    (Batch(1 tasks for 1: 1 to exploit), [0])
    """
    n_tasks, n_kinds = len(decisions.tasks), len(decisions.kinds)
    _check_arguments(budget, size, audit_share, auditor, teacher, n_kinds)
    price = np.array([prices.of(kind) for kind in decisions.kinds])
    askable = in_shape(True if can_ask is None else can_ask, (n_tasks, n_kinds), "can_ask").astype(bool)
    accepted = np.flatnonzero((decisions.action == ACCEPT) & askable[:, auditor])
    n_audits = _n_audits(audit_share, size, budget, float(price[auditor]), seed)
    drawn = np.random.default_rng([seed, AUDIT]).permutation(accepted)[:n_audits]
    audits = Batch.of(drawn, auditor, price[auditor], AUDIT)
    wanted = _wanted(decisions, askable, price, in_shape(learning, (n_tasks,), "learning"), teacher)
    wanted = _most_saving_first(wanted.take(~np.isin(wanted.rows, audits.rows)), seed)
    slots = size - len(audits)
    if clusters is not None:
        ids = in_shape(clusters, (n_tasks,), "clusters").astype(np.int64)[wanted.rows]
        wanted = wanted.take(rank_in_group(ids) < fair_share(ids, slots))
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
    """Choose the first batch: several votes on tasks spread over predicted classes, and over clusters within them.

    Without classes and clusters, tasks are random.

    Args:
        n_tasks: number of tasks.
        price: price of one vote.
        budget: money left.
        size: number of tasks, at most.
        votes: votes on each task, which show how far people agree.
        ask: annotator kind to ask.
        predicted: (n_tasks,), predicted classes.
        clusters: (n_tasks,), clusters of similar tasks.
        seed: breaks ties at random.

    >>> first_batch(1000, 1.0, budget=60, size=100)
    Batch(20 tasks for 60: 20 to learn)
    """
    classes = None if predicted is None else in_shape(predicted, (n_tasks,), "predicted").astype(np.int64)
    ids = None if clusters is None else in_shape(clusters, (n_tasks,), "clusters").astype(np.int64)
    batch = Batch.of(spread_order(classes, ids, n_tasks, seed), ask, votes * price, LEARN, votes=votes)
    return batch.take(affordable(batch.committed, budget, size))


def settle(decisions: Decisions, prices: Prices, *, budget: float, rest: Rest = "cheapest") -> Decisions:
    """Settle tasks whose next vote costs more than the money left: accept the cheapest label, or leave them undecided.

    A task whose cheapest answer is to give no label becomes unclassifiable. The value still says what a vote would have
    saved. If a cheaper annotator kind can still be paid, decide again with the expensive ones closed first.

    Args:
        decisions: decisions of a policy.
        prices: prices of the votes.
        budget: money left.
        rest: "cheapest" accepts the label with the lowest expected cost, "undecided" leaves the task open.
    """
    require_choice("rest", rest, Rest)
    price = np.array([prices.of(kind) for kind in decisions.kinds])
    ended = (decisions.action == ASK) & (price[decisions.ask] > budget)
    action = np.where(decisions.label == NOBODY, UNCLASSIFIABLE, ACCEPT) if rest == "cheapest" else UNDECIDED
    return replace(
        decisions,
        action=np.where(ended, action, decisions.action).astype(np.int8),
        ask=np.where(ended, NOBODY, decisions.ask).astype(np.int8),
        reason=np.where(ended, len(decisions.reasons), decisions.reason).astype(np.int8),
        reasons=(*decisions.reasons, SPENT),
    )


def _wanted(decisions: Decisions, askable: NDArray[np.bool_], price: Array, learning: Array, teacher: int) -> Batch:
    """Return every task that is worth a vote, for the purpose that saves more per price."""
    asks = (decisions.action == ASK) & askable[np.arange(len(askable)), decisions.ask]
    may_teach = np.isin(decisions.action, (ACCEPT, ASK)) & askable[:, teacher]
    exploit = np.where(asks, decisions.value, 0.0)
    learn = np.where(may_teach, learning - price[teacher], 0.0)
    own_price = np.where(asks, price[decisions.ask], 0.0)
    # a / b > c / d, without dividing by a vote that costs nothing
    teaches = (learn > 0) & ((exploit <= 0) | (learn * own_price > exploit * price[teacher]))
    purpose = np.where(teaches, LEARN, EXPLOIT)
    whom = np.where(teaches, teacher, decisions.ask)
    saving = np.where(teaches, learn, exploit)
    every = Batch.of(np.arange(len(askable)), whom, price[whom], purpose, saving=saving)
    return every.take(saving > 0)


def _most_saving_first(wanted: Batch, seed: int) -> Batch:
    """Sort by saving per price; free votes come first."""
    paid = wanted.committed > 0
    ratio = np.divide(wanted.saving, wanted.committed, out=np.full(len(wanted), np.inf), where=paid)
    ties = np.random.default_rng([seed, EXPLOIT]).random(len(wanted))
    return wanted.take(np.lexsort((ties, -ratio)))


def _n_audits(share: float, size: int, budget: float, price: float, seed: int) -> int:
    """Return the number of audits in this share of slots and money; fractions of a slot are rounded at random."""
    slots = int(share * size + np.random.default_rng([seed, LEARN]).random())
    return min(slots, int(share * budget / price) if price > 0 else slots)


def _check_arguments(budget: float, size: int, audit_share: float, auditor: int, teacher: int, n_kinds: int) -> None:
    require_number("the budget left", budget, at_least=0, finite=False)
    require_number("the size of a batch", size, at_least=0, whole=True)
    require_number("audit_share", audit_share, at_least=0, at_most=1)
    if audit_share > 0 and not 0 <= auditor < n_kinds:
        raise MethodError(f"auditor must be an annotator kind in [0, {n_kinds}), got {auditor}: say who audits")
    if not 0 <= teacher < n_kinds:
        raise MethodError(f"teacher must be an annotator kind in [0, {n_kinds}), got {teacher}")
