"""Labels of experts on random tasks as a priced action: how many to buy, for what they teach and for what they settle.

They settle the tasks that they are on, and teach how far to trust the crowd and the machine on all others. What they
teach is worth more the larger the pool is and the more each task loses; it was measured on replays of real votes.
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

FREE = 0.01  # a vote that costs less counts as this


@dataclass(frozen=True, kw_only=True)
class AuditChoice:
    """How many labels of experts to buy on tasks drawn at random.

    n_labels: in all, those bought before among them. cost: of those still to buy. saving: what all of them are expected
    to save, beyond that. words: the same for people to read.
    """

    n_labels: int
    cost: float
    saving: float
    words: str


def believed_loss(decisions: Decisions, gold: Gold | None = None) -> float:
    """What a task without gold is still to cost on average, votes and errors, as the model believes."""
    left = decisions.expected_cost - np.maximum(decisions.value, 0)
    if gold is not None:
        left = left[gold < 0]
    return float(np.mean(left)) if len(left) else 0.0


def audit_after(decisions: Decisions, costs: Costs, prices: Prices, gold: Gold) -> AuditChoice | None:
    """Whether more labels of experts pay as things stand; None where experts have no price.

    gold: labels that are there, (n_tasks,), -1 = none.

    >>> from quorate import decide, simulate_votes
    >>> crowd = simulate_votes(n_tasks=2000, votes_per_task=2, seed=0)
    >>> prices, nobody = Prices(votes={"crowd": 1, "expert": 10}), np.full(2000, -1)
    >>> decisions = decide(crowd.votes, cost_error=5, prices=prices)
    >>> audit_after(decisions, Costs.of_error(5, 2), prices, nobody).n_labels
    0
    """
    if EXPERT not in prices.kinds:
        return None
    stakes = float(costs.matrix.max()) / max(prices.votes.get(CROWD, 1.0), FREE)
    loss = min(likely_loss(believed_loss(decisions, gold), stakes), prices.of(EXPERT))  # an expert could settle each
    return choose_audit(
        n_pool=len(gold), loss=loss, price=prices.of(EXPERT), stakes=stakes, bought=int((gold >= 0).sum())
    )


def likely_loss(believed: float, stakes: float, *, n_wrong: int = 0, doubts: ArrayLike = ()) -> float:
    """What a task is likely to cost in truth, given what the model believes, and what a first audit tells of it.

    stakes: what an error costs, in votes of the crowd. n_wrong: how many labels the audit found wrong. doubts: how
    likely each audited label was wrong, as the model believed. The model is the blinder the more is at stake: it
    accepts when it sees no more errors, and others are left. Half of what the audit finds (on a log scale) is believed,
    as labels after few votes tell only so much of those after many.

    >>> likely_loss(2.0, 5), round(likely_loss(2.0, 5, n_wrong=7, doubts=[0.04] * 25), 2)
    (2.0, 4.0)
    """
    expected = float(np.sum(np.asarray(doubts, dtype=np.float64)))
    return believed * max(stakes / 5, 1.0) ** TUNING.blind_with_stakes * float(np.sqrt((n_wrong + 1) / (expected + 1)))


def taught(n_labels: ArrayLike, stakes: float) -> Array:
    """The share of their loss that other tasks are spared by what so many labels teach.

    The first few teach nothing that was seen in replays; of n more, most * n / (n + half): half of it by `half` labels.
    It fades with the square root of what is at stake: where errors are dear, many votes are bought anyway, and these
    are weighed well without gold.

    >>> taught([25, 125, 425], stakes=5).round(3).tolist(), taught([125], stakes=20).round(4).tolist()
    ([0.0, 0.175, 0.28], [0.0875])
    """
    n = np.maximum(np.asarray(n_labels, dtype=np.float64) - TUNING.first_labels, 0)
    return TUNING.most_taught * max(stakes / 5, 1.0) ** -TUNING.fade_with_stakes * n / (n + TUNING.half_taught)


def saved(n_labels: ArrayLike, *, n_pool: int, loss: float, stakes: float) -> Array:
    """What labels are expected to save: all that their own tasks would lose, and a share of what the others do.

    >>> saved(125, n_pool=1125, loss=2.0, stakes=5).item()  # 125 tasks at 2, and 1000 at .175 of it
    600.0
    """
    n = np.asarray(n_labels, dtype=np.float64)
    return loss * (n + (n_pool - n) * taught(n, stakes))


def choose_audit(*, n_pool: int, loss: float, price: float, stakes: float, bought: int = 0) -> AuditChoice:
    """The audit that saves the most beyond its price, of `audit_sizes`; none, where none saves anything.

    n_pool: tasks in all. loss: what each is likely to cost, see `likely_loss`. price: of one label, in the same
    money. stakes: what an error costs, in votes of the crowd. bought: labels that are there already.

    >>> choose_audit(n_pool=1000, loss=2, price=10, stakes=20).n_labels
    0
    >>> print(choose_audit(n_pool=10_000, loss=2, price=10, stakes=20).words)
    an audit of 100 expert labels (1,000) is expected to pay: it saves 685 beyond that
    """
    if n_pool < 0 or bought < 0 or bought > n_pool:
        raise MethodError(f"labels must be from none to all {n_pool} tasks, got {bought}")
    for name, number in (("loss", loss), ("price", price), ("stakes", stakes)):
        require_number(name, number, at_least=0)
    sizes = np.array([bought, *(size for size in TUNING.audit_sizes if bought < size <= n_pool)])
    cost = price * (sizes - bought)
    gain = saved(sizes, n_pool=n_pool, loss=loss, stakes=stakes)
    net = gain - gain[0] - cost
    best = int(net.argmax())
    return AuditChoice(
        n_labels=int(sizes[best]),
        cost=float(cost[best]),
        saving=float(net[best]),
        words=_words(sizes, cost, net, best),
    )


def choose_first(*, n_pool: int, loss: float, price: float, stakes: float) -> int:
    """How many labels to buy before anything is known of the errors: a few, where more might pay; else none.

    >>> choose_first(n_pool=1000, loss=1, price=10, stakes=20), choose_first(n_pool=10_000, loss=1, price=10, stakes=20)
    (0, 25)
    """
    might = choose_audit(n_pool=n_pool, loss=TUNING.surprise * loss, price=price, stakes=stakes)
    return min(TUNING.first_labels, might.n_labels)


def labels_to_buy(
    decisions: Decisions, costs: Costs, prices: Prices, order: NDArray[np.int64], truth: Gold
) -> NDArray[np.int64]:
    """Which tasks an expert is to label for what that teaches: a few first, then as many as seem to pay; maybe none.

    decisions: as they are after a few votes, without gold. order: tasks, drawn at random. truth: what the expert says
    of each task, (n_tasks,); it is looked at where it was bought, and nowhere else.
    """
    price, n_pool = prices.of(EXPERT), len(decisions.label)
    stakes = float(costs.matrix.max()) / max(prices.votes.get(CROWD, 1.0), FREE)
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
        return "no audit is expected to pay: there are " + ("labels enough" if sizes[0] else "too few tasks")
    told = best or 1 + int(net[1:].argmax())
    audit = f"an audit of {sizes[told] - sizes[0]:,} expert labels ({cost[told]:,g})"
    if best:
        return f"{audit} is expected to pay: it saves {net[best]:,.0f} beyond that"
    return f"{audit} is not expected to pay: it saves {net[told] + cost[told]:,.0f}"
