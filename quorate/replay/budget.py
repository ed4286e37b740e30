"""Replay of a policy on recorded votes within a budget: which votes to buy first, and how to settle the other tasks."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from quorate.data.decisions import UNDECIDED, Decisions
from quorate.data.option_checks import require_choice
from quorate.data.votes import Votes
from quorate.decision.base import Policy
from quorate.decision.budget import MIN_SAVING, NO_MONEY
from quorate.decision.diversity import spread_order
from quorate.decision.selection import Rest, settle
from quorate.errors import MethodError
from quorate.registry.deprecation import renamed_parameters
from quorate.replay.classifiers import Classifier
from quorate.replay.session import MAX_ROUNDS, Outcome, Session, batch_size
from quorate.replay.tuning import TUNING
from quorate.typing import Gold

Order = Literal["value", "random", "in_turn"]
ORDERS = ("value", "random", "in_turn")


@dataclass(frozen=True, eq=False, kw_only=True)
class BudgetOutcome(Outcome):
    """Outcome of a replay with a budget.

    decided: whether the policy accepted a label by its own rule, or an expert gave it; otherwise the money ran out. A
    task that stays undecided has no label, no error and no cost of one: compare the share of decided tasks before the
    loss.
    """

    decided: NDArray[np.bool_]


@renamed_parameters(since="0.2", known="known_gold")
def replay_budget(
    policy: Policy,
    votes: Votes,
    gold: Gold,
    machine: Classifier | None = None,
    *,
    budget: float,
    rest: Rest = "cheapest",
    order: Order = "value",
    learning: bool = False,
    known_gold: Gold | None = None,
    seed: int = 0,
    recorded_order: bool = False,
    batch: float = TUNING.batch,
    growth: float = TUNING.growth,
) -> BudgetOutcome:
    """Run a policy on recorded votes until it asks for no more votes or the money runs out, and return the outcome.

    Args:
        policy: the policy to try.
        votes: the recorded votes; each is shown when it is bought.
        gold: the true class of every task: errors are counted against it, and experts answer with it.
        machine: a classifier; None = there is none.
        budget: money for votes, experts and the classifier on all tasks together; never exceeded.
        rest: tasks that still ask at the end accept their cheapest label ("cheapest"), or stay "undecided".
        order: buy the votes that save most for their price first ("value"; in random order if the policy does not
            estimate savings), any votes that are asked for ("random"), or decide ten tasks after ten ("in_turn").
        learning: also buy votes that teach the classifier, where its learning curve says that they save more. This has
            not lowered the loss in replays.
        known_gold: gold labels that the policy has from the start, free of charge, -1 = none.
        seed: draws the order of the votes, the warm-up and the batches.
        recorded_order: show the votes of a task in their recorded order.
        batch: each round buys votes on this share of the tasks that ask.
        growth: the classifier is taught again when there are this many times as many votes as before.

    >>> from quorate import Costs, simulate_votes
    >>> from quorate.decision.policies.fixed_votes import FixedVotes
    >>> crowd = simulate_votes(n_tasks=40, votes_per_task=5, seed=0)
    >>> policy = FixedVotes(costs=Costs.of_error(20, 2), n=3)
    >>> outcome = replay_budget(policy, crowd.votes, crowd.gold, budget=50, order="in_turn")
    >>> outcome.spent.sum(), outcome.decided.sum()
    (np.float64(50.0), np.int64(10))
    """
    require_choice("order", order, ORDERS)
    session = Session(
        policy,
        votes,
        gold,
        machine,
        known_gold=known_gold,
        seed=seed,
        recorded_order=recorded_order,
        growth=growth,
        budget=budget,
    )
    if not session.money_left >= 0:
        raise MethodError(f"the budget must pay for the classifier, {session.spent().sum():g}, got {budget:g}")
    turn = session.rng.permutation(votes.n_tasks)
    predicted = next((pred_probs.argmax(axis=1) for pred_probs in session.machines.values()), None)
    first = session.gold_first(spread_order(predicted, None, votes.n_tasks, seed))
    session.warm_up(first, budget=TUNING.warm_up_share * session.money_left)
    for rounds in range(MAX_ROUNDS):  # noqa: B007
        session.learn()
        decisions = session.decide()
        unlabelled = session.unlabelled
        chosen = session.choose(
            _in_order(decisions, order, session, turn),
            size=batch_size(int(session.asking(decisions).sum()), 0.0 if order == "in_turn" else batch, votes.n_tasks),
            label_value=session.label_value(int((~unlabelled).sum()), float(unlabelled.sum())) if learning else 0.0,
            seed=int(session.rng.integers(2**31)),
        )
        if len(chosen):
            session.buy(chosen.rows, chosen.ask)
        elif not session.schedule_final_lesson():
            break
    return _settled(session, rest, rounds)


def _in_order(decisions: Decisions, order: Order, session: Session, turn: NDArray[np.int64]) -> Decisions:
    """Return the decisions with values that make `Session.choose` buy in this order."""
    if order == "value":
        return decisions
    prices = session.policy.prices
    price = np.array([prices.of(kind) for kind in decisions.kinds])[decisions.ask]
    value_per_price = np.ones(session.n_tasks) if order == "random" else 1.0 / (1 + turn)
    return replace(decisions, value=value_per_price * np.maximum(price, MIN_SAVING))


def _settled(session: Session, rest: Rest, rounds: int) -> BudgetOutcome:
    """Return the outcome after settling the tasks that still ask."""
    wanted = session.decide(ignore_budget=True)
    asking = session.asking(wanted)
    final = settle(wanted, session.policy.prices, budget=NO_MONEY, rest=rest)
    undecided = asking & (final.action == UNDECIDED)
    label, stated = np.where(undecided, -1, final.label), session.stated_errors(final)
    outcome = session.outcome(label, stated, rounds=rounds, undecided=undecided)
    return BudgetOutcome(**vars(outcome), decided=~asking)
