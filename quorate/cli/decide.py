"""`quorate decide`: accept a label for every task, or ask for one more vote."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from quorate import find
from quorate.cli import formats, inputs, machines, money, show
from quorate.cli.options import parse_options
from quorate.cli.progress import waiting
from quorate.costs import EXPERT, Prices
from quorate.deciding import FOLDER, decide_with, known_of, policy_of
from quorate.decision.audit import audit_after
from quorate.decision.cross_audit import cross_audit
from quorate.decision.spend import within_budget
from quorate.decision.summary import Summary, summarise
from quorate.decisions import ASK, Decisions
from quorate.io.tables import write_table
from quorate.io.writing import to_polars
from quorate.matching import matched
from quorate.protocols import Gold, WarmUp
from quorate.votes import Votes

EXAMPLES = formats.examples(
    "quorate decide votes.csv --cost-error 100 --price crowd=1 --price expert=10 --out decisions.csv",
    "quorate decide votes.csv --probs out_of_fold.csv --gold experts.csv --out decisions.csv",
    "quorate decide votes.csv --audit audit.csv --budget 500 --rest undecided",
    "quorate decide votes.csv --false-positive 5 --false-negative 50 --positive yes",
)
SHOWN = 8
FEW_AUDITS = 50  # tell whether it is one in ten or one in a hundred


class Rest(StrEnum):
    """What becomes of tasks whose vote is not paid."""

    cheapest = "cheapest"
    undecided = "undecided"


def command(
    path: inputs.VotesFile,
    probs: machines.ProbsFiles = None,
    gold: Annotated[
        Path | None, typer.Option(help="Labels of experts (task, label): they are accepted, and teach the rest.")
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(
            help="Labels of experts on tasks drawn at random: accepted, and they tell how often others are wrong."
        ),
    ] = None,
    cost_error: money.CostError = 100.0,
    cost_matrix: money.CostMatrix = None,
    false_positive: money.FalsePositive = None,
    false_negative: money.FalseNegative = None,
    positive: money.Positive = "",
    unclassifiable: money.Unclassifiable = None,
    price: money.Price = None,
    budget: Annotated[
        float | None, typer.Option(min=0, help="Spend at most this now: on votes that save the most for their price.")
    ] = None,
    rest: Annotated[Rest, typer.Option(help="Tasks whose vote is not paid: their cheapest label, or undecided.")] = (
        Rest.cheapest
    ),
    policy: Annotated[str, typer.Option(help="How to decide; `quorate methods` lists all policies.")] = "expected_loss",
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the policy, such as horizon=3. Repeatable.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write a row per task here.")] = None,
    columns: inputs.ColumnsOption = "",
    classes: inputs.ClassesOption = "",
    duplicates: inputs.DuplicatesOption = inputs.Duplicates.error,
    format: formats.FormatOption = formats.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Accept a label for every task, or ask for one more vote where that is worth its price.

    Costs and prices are in the same money: cents, minutes, or votes of the crowd.
    """
    inputs.check_targets((path, gold, audit, *(probs or [])), tables=(out,))
    chosen_options = parse_options(find.method_class(FOLDER, policy), policy, option or [])
    prices = money.prices_of(price)
    said = machines.load_machines(probs, columns)
    votes = machines.load_votes(path, said, columns, classes, duplicates)
    wide, by_name = matched(votes, said)
    costs = money.costs_of(
        wide.classes,
        cost_error=cost_error,
        cost_matrix=cost_matrix,
        false_positive=false_positive,
        false_negative=false_negative,
        positive=positive,
        unclassifiable=unclassifiable,
    )
    known, judge = (
        known_of(wide, wide, None if labels is None else inputs.load_gold(labels, wide, columns))
        for labels in (gold, audit)
    )
    chosen = policy_of(policy, wide.n_classes, costs=costs, prices=prices, options=chosen_options)
    with money.told_costs():
        prices.check(costs)

    def run(labels: Gold) -> Decisions:
        decisions = decide_with(chosen, wide, by_name, labels)
        return decisions if budget is None else within_budget(decisions, prices, budget=budget, rest=rest.value)

    with waiting(f"Deciding by {policy}"):
        decisions, error = cross_audit(run, judge, known)
    if out is not None:
        write_table(to_polars(decisions.to_frame()), out)
    if format is not formats.Format.table:
        show.rows(to_polars(decisions.to_frame()).to_dict(as_series=False), format)
        return
    _show(policy, wide, decisions, summarise(decisions, prices, error.words))
    _show_warm_up(chosen.warm_up(wide.n_tasks, by_name), wide)
    if not error.known:
        _show_price_of_knowing(prices)
    choice = audit_after(decisions, costs, prices, np.where(known >= 0, known, judge))
    if choice is not None:
        show.line(f"{choice.words.capitalize()}.")
    show.written(out)


def _show(policy: str, votes: Votes, decisions: Decisions, summary: Summary) -> None:
    show.line(f"{policy}: {show.count(len(votes), 'vote')} on {show.count(votes.n_tasks, 'task')}")
    rows = {"accept": summary.accepted}
    rows |= {f"ask {kind}": tasks for kind, tasks in summary.asked.items()}
    rows |= {name: tasks for name in ("undecided", "unclassifiable") if (tasks := getattr(summary, name))}
    shares = [tasks / summary.n_tasks for tasks in rows.values()]
    shown = {
        "decision": list(rows),
        "tasks": [f"{tasks:,}" for tasks in rows.values()],
        "share": [f"{share:6.1%} {show.bar(share, 24)}" for share in shares],
    }
    show.table("Decisions", shown, right=["tasks"])
    _show_asked(votes, decisions)
    show.line(f"To ask them now costs {summary.spend:,.6g}.")
    show.line(f"Errors of the accepted labels are expected to cost {summary.error_cost:,.4g}, if the model is right.")
    show.line(f"How often they are wrong: {summary.error}.")


def _show_warm_up(warm_up: WarmUp, votes: Votes) -> None:
    """What to ask first where too few votes are there to know how far people can be trusted."""
    if int((votes.votes_per_task >= warm_up.votes).sum()) < warm_up.tasks:
        each = show.count(warm_up.votes, "vote")
        show.line(f"This rests on few votes: first have {each} on each of {warm_up.tasks} tasks drawn at random.")


def _show_price_of_knowing(prices: Prices) -> None:
    """What an audit would cost that tells the order of magnitude of the error."""
    cost = f", for {FEW_AUDITS * prices.of(EXPERT):,g}" if EXPERT in prices.kinds else ""
    show.line(f"{FEW_AUDITS} labels of experts on tasks drawn at random (--audit) would tell roughly{cost}.")


def _show_asked(votes: Votes, decisions: Decisions) -> None:
    asked = np.flatnonzero(decisions.action == ASK)
    order = asked[np.argsort(-decisions.value[asked], kind="stable")[:SHOWN]]
    if not len(order):
        return
    counts = votes.counts()[order]
    said = [
        ", ".join(f"{show.short(votes.classes[k], 16)}: {row[k]}" for k in np.flatnonzero(row)) or "no votes"
        for row in counts
    ]
    columns = {
        "task": [show.short(votes.tasks[index]) for index in order],
        "ask": [decisions.kinds[index] for index in decisions.ask[order]],
        "saves": [f"{value:,.2f}" for value in decisions.value[order]],
        "likeliest": [show.short(votes.classes[index], 20) for index in decisions.probs[order].argmax(axis=1)],
        "probability": [show.number(value, 2) for value in decisions.probs[order].max(axis=1)],
        "votes": said,
    }
    show.table("Most worth asking", columns, right=["saves", "probability"], wrap=["votes"])
    if len(asked) > len(order):
        show.line(f"... and {len(asked) - len(order):,} more")
