"""`quorate decide`: accept a label for every task, or ask for one more vote."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from quorate import registry
from quorate.audit.cross_auditing import cross_audit
from quorate.audit.value_of_audit import audit_after
from quorate.cli import console
from quorate.cli.options import output, probabilities
from quorate.cli.options.costs import (
    CostError,
    CostMatrix,
    FalseNegative,
    FalsePositive,
    Positive,
    Price,
    Unclassifiable,
    costs_of,
    prices_of,
    told_costs,
)
from quorate.cli.options.method import parse_options
from quorate.cli.options.votes import (
    ClassesOption,
    ColumnsOption,
    Duplicates,
    DuplicatesOption,
    VotesFile,
    check_targets,
    load_gold,
)
from quorate.cli.progress_bar import waiting
from quorate.data.costs import EXPERT, Prices
from quorate.data.decisions import ASK, Decisions
from quorate.data.votes import Votes
from quorate.decision.alignment import align_machines
from quorate.decision.base import WarmUp
from quorate.decision.budget import within_budget
from quorate.decision.policy_by_name import FOLDER, policy_of
from quorate.decision.pool_decisions import decide_with, extend_gold
from quorate.decision.summary import Summary, summarise
from quorate.io.formats.tables import write_table
from quorate.io.votes import to_polars
from quorate.typing import Gold

EXAMPLES = output.examples(
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
    path: VotesFile,
    probs: probabilities.ProbsFiles = None,
    gold: Annotated[
        Path | None, typer.Option(help="Labels of experts (task, label): they are accepted, and teach the rest.")
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(
            help="Labels of experts on tasks drawn at random: accepted, and they tell how often others are wrong."
        ),
    ] = None,
    cost_error: CostError = 100.0,
    cost_matrix: CostMatrix = None,
    false_positive: FalsePositive = None,
    false_negative: FalseNegative = None,
    positive: Positive = "",
    unclassifiable: Unclassifiable = None,
    price: Price = None,
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
    columns: ColumnsOption = "",
    classes: ClassesOption = "",
    duplicates: DuplicatesOption = Duplicates.error,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Accept a label for every task, or ask for one more vote where that is worth its price.

    Costs and prices are in the same money: cents, minutes, or votes of the crowd.
    """
    check_targets((path, gold, audit, *(probs or [])), tables=(out,))
    chosen_options = parse_options(registry.method_class(FOLDER, policy), policy, option or [])
    prices = prices_of(price)
    said = probabilities.load_machines(probs, columns)
    votes = probabilities.load_votes_and_classes(path, said, columns, classes, duplicates)
    wide, by_name = align_machines(votes, said)
    costs = costs_of(
        wide.classes,
        cost_error=cost_error,
        cost_matrix=cost_matrix,
        false_positive=false_positive,
        false_negative=false_negative,
        positive=positive,
        unclassifiable=unclassifiable,
    )
    known, judge = (
        extend_gold(wide, wide, None if labels is None else load_gold(labels, wide, columns))
        for labels in (gold, audit)
    )
    chosen = policy_of(policy, wide.n_classes, costs=costs, prices=prices, options=chosen_options)
    with told_costs():
        prices.check(costs)

    def run(labels: Gold) -> Decisions:
        decisions = decide_with(chosen, wide, by_name, labels)
        return decisions if budget is None else within_budget(decisions, prices, budget=budget, rest=rest.value)

    with waiting(f"Deciding by {policy}"):
        decisions, error = cross_audit(run, judge, known)
    if out is not None:
        write_table(to_polars(decisions.to_frame()), out)
    if format is not output.Format.table:
        console.rows(to_polars(decisions.to_frame()).to_dict(as_series=False), format)
        return
    _show(policy, wide, decisions, summarise(decisions, prices, error.words))
    _show_warm_up(chosen.warm_up(wide.n_tasks, by_name), wide)
    if not error.known:
        _show_price_of_knowing(prices)
    choice = audit_after(decisions, costs, prices, np.where(known >= 0, known, judge))
    if choice is not None:
        console.line(f"{choice.words.capitalize()}.")
    console.written(out)


def _show(policy: str, votes: Votes, decisions: Decisions, summary: Summary) -> None:
    console.line(f"{policy}: {console.count(len(votes), 'vote')} on {console.count(votes.n_tasks, 'task')}")
    rows = {"accept": summary.accepted}
    rows |= {f"ask {kind}": tasks for kind, tasks in summary.asked.items()}
    rows |= {name: tasks for name in ("undecided", "unclassifiable") if (tasks := getattr(summary, name))}
    shares = [tasks / summary.n_tasks for tasks in rows.values()]
    shown = {
        "decision": list(rows),
        "tasks": [f"{tasks:,}" for tasks in rows.values()],
        "share": [f"{share:6.1%} {console.bar(share, 24)}" for share in shares],
    }
    console.table("Decisions", shown, right=["tasks"])
    _show_asked(votes, decisions)
    console.line(f"To ask them now costs {summary.spend:,.6g}.")
    console.line(
        f"Errors of the accepted labels are expected to cost {summary.error_cost:,.4g}, if the model is right."
    )
    console.line(f"How often they are wrong: {summary.error}.")


def _show_warm_up(warm_up: WarmUp, votes: Votes) -> None:
    """What to ask first where too few votes are there to know how far people can be trusted."""
    if int((votes.votes_per_task >= warm_up.votes).sum()) < warm_up.tasks:
        each = console.count(warm_up.votes, "vote")
        console.line(f"This rests on few votes: first have {each} on each of {warm_up.tasks} tasks drawn at random.")


def _show_price_of_knowing(prices: Prices) -> None:
    """What an audit would cost that tells the order of magnitude of the error."""
    cost = f", for {FEW_AUDITS * prices.of(EXPERT):,g}" if EXPERT in prices.kinds else ""
    console.line(f"{FEW_AUDITS} labels of experts on tasks drawn at random (--audit) would tell roughly{cost}.")


def _show_asked(votes: Votes, decisions: Decisions) -> None:
    asked = np.flatnonzero(decisions.action == ASK)
    order = asked[np.argsort(-decisions.value[asked], kind="stable")[:SHOWN]]
    if not len(order):
        return
    counts = votes.counts()[order]
    said = [
        ", ".join(f"{console.short(votes.classes[k], 16)}: {row[k]}" for k in np.flatnonzero(row)) or "no votes"
        for row in counts
    ]
    columns = {
        "task": [console.short(votes.tasks[index]) for index in order],
        "ask": [decisions.kinds[index] for index in decisions.ask[order]],
        "saves": [f"{value:,.2f}" for value in decisions.value[order]],
        "likeliest": [console.short(votes.classes[index], 20) for index in decisions.probs[order].argmax(axis=1)],
        "probability": [console.number(value, 2) for value in decisions.probs[order].max(axis=1)],
        "votes": said,
    }
    console.table("Most worth asking", columns, right=["saves", "probability"], wrap=["votes"])
    if len(asked) > len(order):
        console.line(f"... and {len(asked) - len(order):,} more")
