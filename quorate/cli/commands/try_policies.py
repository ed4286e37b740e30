"""`quorate try-policies`: what policies would have cost, tried on recorded votes."""

from pathlib import Path
from typing import Annotated

import typer

from quorate import plots, registry
from quorate.api.try_policies import try_policies
from quorate.cli import console
from quorate.cli.options import output
from quorate.cli.options.costs import CostOptions, check_prices, require_annotators
from quorate.cli.options.files import PlotFile, check_targets, write_plot
from quorate.cli.options.groups import with_option_groups
from quorate.cli.options.items import EncoderOption, ItemFileOptions
from quorate.cli.options.policy import Rest
from quorate.cli.options.probabilities import read_features, read_pool
from quorate.cli.options.replay import BudgetOptions, ReplayOptions, StreamOptions
from quorate.cli.options.votes import VotesFile
from quorate.cli.progress_bar import waiting
from quorate.cli.show.policies import cost_points, show_trials
from quorate.data.costs import EXPERT, Prices
from quorate.decision.policy_by_name import FOLDER, parse_options
from quorate.errors import MethodError
from quorate.inference.progress import watch_rounds
from quorate.io.formats.tables import write_table
from quorate.io.votes import to_polars

EXAMPLES = output.examples(
    "quorate try-policies votes.csv --gold gold.csv --cost-error 100 --policies all",
    "quorate try-policies votes.csv --gold gold.csv --machine out_of_fold.csv --plot cost.png",
    "quorate try-policies votes.csv --gold gold.csv --items items.csv --policies expected_loss,fixed_votes:n=5",
    "quorate try-policies votes.csv --gold gold.csv --policies expected_loss --budget 25%,50%,100%",
    "quorate try-policies votes.csv --gold gold.csv --budget 500 --rest undecided",
    "quorate try-policies votes.csv --gold gold.csv --price crowd=1 --price expert=10 --audits",
    "quorate try-policies votes.csv --gold gold.csv --items items.csv --policies expected_loss --stream --rate 20",
)
ALL = "all"


@with_option_groups
def command(
    *,
    path: VotesFile,
    gold: Annotated[
        Path, typer.Option(metavar="FILE", help="Gold labels (task, label): only tasks that have one are replayed.")
    ],
    machine: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Class probabilities of a classifier that was not trained on these tasks: task and p_CLASS of every "
            "class.",
        ),
    ] = None,
    items: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Items instead (task and features, text or image): a classifier learns from them as votes come in.",
        ),
    ] = None,
    encoder: EncoderOption = "auto",
    policies: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Policies, each maybe with options, such as fixed_votes:n=5 or threshold:t=0.8:n=3.",
        ),
    ] = ALL,
    costs: CostOptions,
    replay: ReplayOptions,
    budget: BudgetOptions,
    stream: StreamOptions,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a row per policy and seed to this file.")
    ] = None,
    plot: PlotFile = None,
    files: ItemFileOptions,
    format: output.FormatOption = output.Format.table,  # noqa: A002 - the option's name
) -> None:
    """Try policies on recorded votes, and see what each would have cost in votes and errors; the lowest loss is first.

    A vote is revealed when a policy asks for it, and paid. The loss is the price of the votes plus the cost of errors,
    per task. Use it to choose a policy, or a budget, on votes you already have. In Python: quorate.try_policies.
    """
    check_targets((path, gold, machine, items), tables=(out,), plot=plot)
    names, prices = _names(policies), costs.prices()
    budgets, arrivals = budget.budgets(), stream.arrivals(recorded_order=replay.recorded_order)
    _require_together(machine, items, prices, audits=replay.audits, both=bool(budgets) and arrivals is not None)
    votes, pred_probs = read_pool(path, None if machine is None else [machine], files)
    require_annotators(prices, votes.workers)
    x, content = None, ""
    if items is not None:
        _, x, content = read_features(items, votes, files.columns, encoder, all_items=False)
    error_costs = costs.costs(votes.classes)
    check_prices(prices, error_costs)
    with waiting("Replaying") as bar, watch_rounds(bar.update):
        trials = try_policies(
            votes,
            files.read_gold(gold, votes),
            names,
            machine=next(iter(pred_probs.values()), None),
            x=x,
            costs=error_costs,
            prices=prices,
            seeds=replay.seeds,
            most_tasks=replay.most_tasks,
            n_known_gold=replay.n_known_gold,
            recorded_order=replay.recorded_order,
            budget=budgets,
            rest=budget.rest.value,
            order=budget.order.value,
            audits=replay.audits,
            stream=arrivals,
            processes=replay.processes,
        )
    if out is not None:
        write_table(to_polars(trials.to_frame()), out)
    if plot is not None:
        write_plot(plots.cost_against_error(cost_points(trials), cost_error=error_costs.even), plot)
    if format is not output.Format.table:
        console.rows(to_polars(trials.compared()).to_dict(as_series=False), format)
        return
    undecided = bool(budgets) and budget.rest is Rest.undecided
    show_trials(trials, undecided=undecided, has_classifier=machine is not None or items is not None)
    if content:
        console.line(f"The classifier reads the items by {content}.")
    console.written(out, plot)


def _names(text: str) -> list[str]:
    """Return policies by name; refuse a wrong name, or a wrong option, before anything is read."""
    names = registry.names(FOLDER) if text == ALL else [name.strip() for name in text.split(",") if name.strip()]
    for policy in names:
        name, _, options = policy.partition(":")
        parse_options(name, options)
    if not names:
        raise MethodError(f"--policies names none: choose from {', '.join(registry.names(FOLDER))}, or all")
    return names


def _require_together(machine: Path | None, items: Path | None, prices: Prices, *, audits: bool, both: bool) -> None:
    """Refuse options that do not go together; both: a budget and a stream."""
    if both:
        raise MethodError("give either --budget or --stream: a stream has no end to save money for")
    if audits and EXPERT not in prices.kinds:
        raise MethodError("--audits needs the price of an expert: --price crowd=1 --price expert=10")
    if machine is not None and items is not None:
        raise MethodError("give either --machine or --items: probabilities, or items to learn from")
