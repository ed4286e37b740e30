"""Decisions as `quorate decide` shows them."""

import numpy as np

from quorate.api.decide import PoolDecisions
from quorate.cli import console
from quorate.cli.show.votes import describe_counts
from quorate.data.costs import EXPERT, Prices
from quorate.data.decisions import ASK
from quorate.decision.summary import Summary

MAX_ROWS = 8
AUDIT_SIZE = 50  # expert labels, enough to see whether one label in ten or one in a hundred is wrong


def show_decisions(decisions: PoolDecisions, policy: str) -> None:
    """Print what to accept and whom to ask, what that costs, and how far to trust it."""
    votes, summary = decisions.votes, decisions.summary()
    console.line(f"{policy}: {console.count(len(votes), 'vote')} on {console.count(votes.n_tasks, 'task')}")
    _show_actions(summary)
    _show_asked(decisions)
    console.line(f"To ask them now costs {summary.spend:,.6g}.")
    console.line(f"How often they are wrong: {summary.error}.")
    if (first := decisions.warm_up()) is not None:
        n_votes = console.count(first.votes, "vote")
        console.line(f"This rests on few votes: first have {n_votes} on each of {first.tasks} tasks drawn at random.")
    if decisions.error.known:
        _show_model_estimate(decisions)
    else:
        _show_price_of_audit(decisions.policy.prices)
    if (advice := decisions.audit_advice()) is not None:
        console.line(f"{advice.words.capitalize()}.")


def _show_actions(summary: Summary) -> None:
    rows = {"accept": summary.accepted}
    rows |= {f"ask {kind}": tasks for kind, tasks in summary.asked.items()}
    rows |= {name: tasks for name in ("undecided", "unclassifiable") if (tasks := getattr(summary, name))}
    shares = [tasks / summary.n_tasks for tasks in rows.values()]
    columns = {
        "decision": list(rows),
        "tasks": [f"{tasks:,}" for tasks in rows.values()],
        "share": [f"{share:6.1%} {console.bar(share, 24)}" for share in shares],
    }
    console.table("Decisions", columns, right=["tasks"])


def _show_asked(decisions: PoolDecisions) -> None:
    votes = decisions.votes
    asked = np.flatnonzero(decisions.action == ASK)
    order = asked[np.argsort(-decisions.value[asked], kind="stable")[:MAX_ROWS]]
    if not len(order):
        return
    probs = decisions.probs[order]
    columns = {
        "task": [console.short(votes.tasks[index]) for index in order],
        "ask": [decisions.kinds[index] for index in decisions.ask[order]],
        "saves": [f"{value:,.2f}" for value in decisions.value[order]],
        "most likely": [console.short(votes.classes[index], 20) for index in probs.argmax(axis=1)],
        "probability": [console.number(value, 2) for value in probs.max(axis=1)],
        "votes": describe_counts(votes, order),
    }
    console.table("Most worth asking", columns, right=["saves", "probability"], wrap=["votes"])
    if len(asked) > len(order):
        console.line(f"... and {len(asked) - len(order):,} more")


def _show_model_estimate(decisions: PoolDecisions) -> None:
    """Print the model estimate beside the audit, and that the audit is right where they contradict each other."""
    audit, model = decisions.error, decisions.model_error
    if not model.known:
        return
    if audit.low <= model.value <= audit.high:
        console.line(f"Without the audit: {model.words}.")
    else:
        console.line(f"Without the audit: {model.words}.\nThe audit contradicts this: rely on the audit.")


def _show_price_of_audit(prices: Prices) -> None:
    """Print what an audit would cost that shows the order of magnitude of the error."""
    cost = f", for {AUDIT_SIZE * prices.of(EXPERT):,g}" if EXPERT in prices.kinds else ""
    console.line(f"{AUDIT_SIZE} labels of experts on tasks drawn at random (--audit) would measure it{cost}.")
