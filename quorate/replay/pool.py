"""Replay of a policy on a pool of recorded votes, without a budget."""

from quorate.audit.value_of_audit import labels_to_buy
from quorate.data.votes import Votes
from quorate.decision.base import Policy
from quorate.registry.deprecation import renamed_parameters
from quorate.replay.classifiers import Classifier
from quorate.replay.session import MAX_ROUNDS, Outcome, Session, batch_size
from quorate.replay.tuning import TUNING
from quorate.typing import Gold


@renamed_parameters(since="0.2", known="known_gold")
def replay(
    policy: Policy,
    votes: Votes,
    gold: Gold,
    machine: Classifier | None = None,
    *,
    known_gold: Gold | None = None,
    seed: int = 0,
    recorded_order: bool = False,
    batch: float = TUNING.batch,
    growth: float = TUNING.growth,
    audits: bool = False,
) -> Outcome:
    """Run a policy on recorded votes until it asks for no more votes, and return the outcome.

    No worker votes twice on a task, since none did in the recording.

    Args:
        policy: the policy to try.
        votes: the recorded votes; each is shown when it is bought.
        gold: the true class of every task: errors are counted against it, and experts answer with it.
        machine: a classifier; None = there is none.
        known_gold: gold labels that the policy has from the start, free of charge, -1 = none. These tasks are never
            wrong.
        seed: draws the order of the votes, the warm-up and the batches.
        recorded_order: show the votes of a task in their recorded order.
        batch: each round buys one more vote on this share of the tasks that ask: those on which a vote saves most for
            its price, or random ones if the policy does not estimate that.
        growth: the classifier is taught again when there are this many times as many votes as before.
        audits: after the warm-up, buy expert labels of random tasks where what they teach is expected to exceed their
            price; the policy must have a price for experts.
    """
    session = Session(
        policy, votes, gold, machine, known_gold=known_gold, seed=seed, recorded_order=recorded_order, growth=growth
    )
    order = session.gold_first(session.rng.permutation(votes.n_tasks))
    session.warm_up(order)
    for rounds in range(MAX_ROUNDS):
        session.learn()
        decisions = session.decide()
        if audits and rounds == 0:
            audited = labels_to_buy(decisions, policy.costs, policy.prices, order[session.gold[order] < 0], gold)
            session.buy_expert_labels(audited)
            if len(audited):
                continue
        chosen = session.choose(
            decisions,
            size=batch_size(int(session.asking(decisions).sum()), batch, votes.n_tasks),
            seed=int(session.rng.integers(2**31)),
        )
        if len(chosen):
            session.buy(chosen.rows, chosen.ask)
        elif not session.schedule_final_lesson():
            break
    return session.outcome(decisions.label, session.stated_errors(decisions), rounds=rounds)
