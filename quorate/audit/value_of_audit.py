"""The value of expert labels on random tasks: how many to buy, for what they settle and for what they teach.

They settle their own tasks, and teach how far to trust the crowd and the classifier on all others. What they teach is
worth more the larger the pool is and the more each task loses; it was measured on replays of real votes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.audit.tuning import TUNING
from quorate.data.costs import CROWD, EXPERT, Costs, Prices
from quorate.data.decisions import Decisions
from quorate.data.option_checks import require_number
from quorate.errors import MethodError
from quorate.typing import Array, Gold

MIN_PRICE = 0.01  # of a vote of the crowd, for the stakes


@dataclass(frozen=True, kw_only=True)
class AuditChoice:
    """The number of expert labels to buy on tasks drawn at random.

    Attributes:
        n_labels: number of labels in total, including those bought before.
        cost: price of those still to buy.
        saving: what these are expected to save beyond their price.
        words: the choice in words.
    """

    n_labels: int
    cost: float
    saving: float
    words: str


def believed_loss(decisions: Decisions, gold: Gold | None = None) -> float:
    """Return the mean remaining cost of a task without gold, votes and errors, according to the model."""
    left = decisions.expected_cost - np.maximum(decisions.value, 0)
    if gold is not None:
        left = left[gold < 0]
    return float(np.mean(left)) if len(left) else 0.0


def audit_after(decisions: Decisions, costs: Costs, prices: Prices, gold: Gold) -> AuditChoice | None:
    """Choose how many more expert labels to buy at present, if any; None if experts have no price.

    Args:
        decisions: current decisions.
        costs: costs of errors.
        prices: price of a vote of each annotator kind.
        gold: (n_tasks,), expert labels bought so far, -1 = none.

    >>> from quorate import decide, simulate_votes
    >>> crowd = simulate_votes(n_tasks=2000, votes_per_task=2, seed=0)
    >>> prices, nobody = Prices(votes={"crowd": 1, "expert": 10}), np.full(2000, -1)
    >>> decisions = decide(crowd.votes, cost_error=5, prices=prices)
    >>> audit_after(decisions, Costs.of_error(5, 2), prices, nobody).n_labels
    0
    """
    if EXPERT not in prices.kinds:
        return None
    stakes = float(costs.matrix.max()) / max(prices.votes.get(CROWD, 1.0), MIN_PRICE)
    loss = min(likely_loss(believed_loss(decisions, gold), stakes), prices.of(EXPERT))  # an expert could settle each
    return choose_audit(
        n_pool=len(gold), loss=loss, price=prices.of(EXPERT), stakes=stakes, bought=int((gold >= 0).sum())
    )


def likely_loss(believed: float, stakes: float, *, n_wrong: int = 0, doubts: ArrayLike = ()) -> float:
    """Estimate the true mean cost of a task from the model's belief and a first audit.

    The more is at stake, the more the model misses: it accepts when it sees no more errors, and others are left. Only
    half of what the audit finds (on a log scale) is believed, as labels after few votes say little about those after
    many.

    Args:
        believed: mean cost of a task according to the model.
        stakes: cost of an error, in votes of the crowd.
        n_wrong: number of labels that the audit found wrong.
        doubts: probability that each audited label was wrong, according to the model.

    >>> likely_loss(2.0, 5), round(likely_loss(2.0, 5, n_wrong=7, doubts=[0.04] * 25), 2)
    (2.0, 4.0)
    """
    expected = float(np.sum(np.asarray(doubts, dtype=np.float64)))
    return believed * max(stakes / 5, 1.0) ** TUNING.blind_with_stakes * float(np.sqrt((n_wrong + 1) / (expected + 1)))


def learning_effect(n_labels: ArrayLike, stakes: float) -> Array:
    """Return the share of their loss that other tasks are spared by what `n_labels` labels teach.

    In replays the first few taught nothing; n more save max_effect * n / (n + half_effect_labels). The effect fades
    with the square root of the stakes: where errors are expensive, many votes are bought anyway, and these are weighted
    well without gold.

    >>> learning_effect([25, 125, 425], stakes=5).round(3).tolist(), learning_effect([125], stakes=20).round(4).tolist()
    ([0.0, 0.175, 0.28], [0.0875])
    """
    n = np.maximum(np.asarray(n_labels, dtype=np.float64) - TUNING.first_labels, 0)
    return TUNING.max_effect * max(stakes / 5, 1.0) ** -TUNING.fade_with_stakes * n / (n + TUNING.half_effect_labels)


def expected_saving(n_labels: ArrayLike, *, n_pool: int, loss: float, stakes: float) -> Array:
    """Return what labels are expected to save: the whole loss of their own tasks, and a share of that of the others.

    Arguments are those of `choose_audit`.

    >>> expected_saving(125, n_pool=1125, loss=2.0, stakes=5).item()  # 125 tasks at 2, and 1000 at .175 of it
    600.0
    """
    n = np.asarray(n_labels, dtype=np.float64)
    return loss * (n + (n_pool - n) * learning_effect(n, stakes))


def choose_audit(*, n_pool: int, loss: float, price: float, stakes: float, bought: int = 0) -> AuditChoice:
    """Choose the audit that saves the most beyond its price, of `audit_sizes`; none, if none saves anything.

    Args:
        n_pool: number of tasks.
        loss: likely mean cost of a task, see `likely_loss`.
        price: price of a label, in the same money.
        stakes: cost of an error, in votes of the crowd.
        bought: number of labels bought before.

    >>> print(choose_audit(n_pool=1000, loss=2, price=10, stakes=20).words)
    an audit of 100 expert labels (1,000) is expected to cost 665 more than it saves
    >>> print(choose_audit(n_pool=10_000, loss=2, price=10, stakes=20).words)
    an audit of 100 expert labels (1,000) is expected to save 685 more than it costs
    """
    if n_pool < 0 or bought < 0 or bought > n_pool:
        raise MethodError(f"bought must be from 0 to the {n_pool} tasks, got {bought}")
    for name, number in (("loss", loss), ("price", price), ("stakes", stakes)):
        require_number(name, number, at_least=0)
    sizes = np.array([bought, *(size for size in TUNING.audit_sizes if bought < size <= n_pool)])
    cost = price * (sizes - bought)
    gain = expected_saving(sizes, n_pool=n_pool, loss=loss, stakes=stakes)
    net = gain - gain[0] - cost
    best = int(net.argmax())
    return AuditChoice(
        n_labels=int(sizes[best]),
        cost=float(cost[best]),
        saving=float(net[best]),
        words=_words(sizes, cost, net, best),
    )


def choose_first(*, n_pool: int, loss: float, price: float, stakes: float) -> int:
    """Return how many labels to buy before anything is known about errors: a few if more might pay, otherwise none.

    Args:
        n_pool: number of tasks.
        loss: likely mean cost of a task, see `likely_loss`.
        price: price of an expert label, in the same money.
        stakes: cost of an error, in votes of the crowd.

    >>> choose_first(n_pool=1000, loss=1, price=10, stakes=20), choose_first(n_pool=10_000, loss=1, price=10, stakes=20)
    (0, 25)
    """
    might = choose_audit(n_pool=n_pool, loss=TUNING.surprise * loss, price=price, stakes=stakes)
    return min(TUNING.first_labels, might.n_labels)


def labels_to_buy(
    decisions: Decisions, costs: Costs, prices: Prices, order: NDArray[np.int64], truth: Gold
) -> NDArray[np.int64]:
    """Return the tasks that an expert labels for what that teaches: a few first, then as many as seem to pay.

    Args:
        decisions: decisions after a few votes, without gold.
        costs: costs of errors.
        prices: price of a vote of each annotator kind.
        order: tasks in random order.
        truth: (n_tasks,), the expert's label of each task, read only where it was bought.
    """
    price, n_pool = prices.of(EXPERT), len(decisions.label)
    stakes = float(costs.matrix.max()) / max(prices.votes.get(CROWD, 1.0), MIN_PRICE)
    believed = believed_loss(decisions)
    loss = min(likely_loss(believed, stakes), price)  # an expert could settle each task
    first = order[: choose_first(n_pool=n_pool, loss=loss, price=price, stakes=stakes)]
    if not len(first):
        return first
    n_wrong = int((decisions.label[first] != truth[first]).sum())
    doubts = 1 - decisions.probs.max(axis=1)[first]
    loss = min(likely_loss(believed, stakes, n_wrong=n_wrong, doubts=doubts), price)
    return order[: choose_audit(n_pool=n_pool, loss=loss, price=price, stakes=stakes, bought=len(first)).n_labels]


def _words(sizes: NDArray[np.int64], cost: Array, net: Array, best: int) -> str:
    if len(sizes) == 1:
        return "no audit is expected to pay for itself: there are " + ("enough labels" if sizes[0] else "too few tasks")
    shown = best or 1 + int(net[1:].argmax())
    audit = f"an audit of {sizes[shown] - sizes[0]:,} expert labels ({cost[shown]:,g})"
    if best:
        return f"{audit} is expected to save {net[best]:,.0f} more than it costs"
    return f"{audit} is expected to cost {-net[shown]:,.0f} more than it saves"
