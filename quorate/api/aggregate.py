"""What people do with votes: the functions that `import quorate` offers, with methods called by name."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate import registry
from quorate.data.frames import make_frame
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, VotesError
from quorate.inference.bayes import Known, joined
from quorate.inference.kernels import vote_passes
from quorate.metrics import accuracy, log_loss
from quorate.protocols import Aggregator, Agreement, Incremental, ItemScorer, WorkerScorer
from quorate.quality.workers.copying import suspects


def aggregate(
    votes: Votes,
    method: str | Aggregator = "dawid_skene",
    *,
    prior: ArrayLike | None = None,
    gold: ArrayLike | None = None,
    fitted: Posterior | None = None,
    **options: Any,
) -> Posterior:
    """Consensus of votes by a method, given by its name (and options) or as an object.

    prior: (n_tasks, n_classes), such as a classifier's out-of-fold probabilities.
    gold: class index per task, -1 = none.
    fitted: an earlier posterior by the same method, of some of these votes; the fit goes on from there.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> aggregate(votes, "one_coin", max_rounds=50).labels.tolist()
    [0, 1]
    """
    require_votes(votes)
    if isinstance(method, str):
        aggregator: Aggregator = registry.method("aggregation", method, **options)
    elif not hasattr(method, "aggregate") or isinstance(method, type):
        raise MethodError(f"a method is a name, or an object such as DawidSkene(), got {method!r}")
    elif options:
        raise MethodError("options go with a method's name; a method given as an object has its own")
    else:
        aggregator = method
    if fitted is None:
        return aggregator.aggregate(votes, prior=prior, gold=gold)
    if not hasattr(aggregator, "partial"):
        raise MethodError(
            f"{type(aggregator).__name__} cannot go on from a fitted posterior: leave out `fitted`, it starts anew"
        )
    _require_posterior(fitted)
    return cast(Incremental, aggregator).partial(votes, fitted, prior=prior, gold=gold)


def join(
    votes: Votes, fitted: Posterior, *, prior: ArrayLike | None = None, gold: ArrayLike | None = None
) -> Posterior:
    """The posterior of all votes, old and new, under the workers' model of an earlier posterior; nothing is fitted.

    One pass over the votes: the quick answer while votes come in. `aggregate(..., fitted=...)` refits. Workers who were
    not there answer as the others do on average; what a model knows of single tasks, as glad does, is not used.

    >>> old = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> new = Votes.from_arrays([2, 2], [0, 3], [1, 1], n_classes=2)
    >>> join(old.merge(new), aggregate(old)).labels.tolist()
    [0, 1, 1]
    """
    require_votes(votes)
    _require_posterior(fitted)
    return joined(votes, fitted, Known.about(votes, prior, gold), vote_passes(votes))


def compare(
    votes: Votes,
    gold: ArrayLike,
    methods: Sequence[str] | None = None,
    *,
    on_method: Callable[[str], None] | None = None,
) -> Any:
    """Run every method, or those named, and measure each on the gold tasks: one row per method, best accuracy first.

    Gold is used to measure only. A method that cannot take these votes has no figures, and `note` says why.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> compare(votes, np.array([0, 1]), ["majority", "naive_soft"])["accuracy"].to_list()
    [1.0, 1.0]
    """
    require_votes(votes)
    judge = np.where(votes.votes_per_task > 0, Known.about(votes, gold=gold).gold, -1)
    if not np.any(judge >= 0):
        raise VotesError("no task has both votes and gold: there is nothing to measure")
    rows = []
    for name in methods or registry.names("aggregation"):
        if on_method is not None:
            on_method(name)
        rows.append(_measured(votes, name, judge))
    rows.sort(key=lambda row: (row["accuracy"] is None, -(row["accuracy"] or 0), row["log_loss"] or 0))
    return make_frame({key: [row[key] for row in rows] for key in rows[0]}, votes.frame_kind)


def workers(votes: Votes, posterior: Posterior | None = None) -> Any:
    """One row per worker: name, votes, and every score of `quality/workers` that can be told of anyone.

    A score that is unknown for all, such as speed where no seconds are known, is left out.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> workers(votes, aggregate(votes, "majority"))["consensus_agreement"].to_list()
    [1.0, 1.0, 0.5]
    """
    posterior = of_these(votes, posterior)
    columns: dict[str, Any] = {"worker": votes.workers, "votes": votes.votes_per_worker}
    for name in registry.names("quality.workers"):
        scorer: WorkerScorer = registry.method("quality.workers", name)
        score = scorer.score(votes, posterior)
        if not len(score) or not np.isnan(score).all():
            columns[name] = score
    return make_frame(columns, votes.frame_kind)


def copies(votes: Votes, posterior: Posterior | None = None) -> Any:
    """Pairs of workers who agree far more than independent workers would: one row per pair, most suspicious first.

    Columns: worker, other, common_tasks, agreement and expected (shares of these tasks), z. Who copied from whom is not
    told. The score `copying` says how z is made.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> len(copies(votes))
    0
    """
    pairs, z = suspects(votes, of_these(votes, posterior))
    columns = {
        "worker": votes.workers[pairs.first],
        "other": votes.workers[pairs.second],
        "common_tasks": pairs.common.astype(np.int64),
        "agreement": pairs.agreed / pairs.common,
        "expected": np.clip(pairs.expected / pairs.common, 0, 1),
        "z": z,
    }
    return make_frame(columns, votes.frame_kind)


def items(votes: Votes, posterior: Posterior | None = None) -> Any:
    """One row per task: name, votes, consensus label, its probability, and every score that votes suffice for.

    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> items(votes, aggregate(votes, "majority"))["uncertainty"].round(3).to_list()
    [0.637, 0.0]
    """
    posterior = of_these(votes, posterior)
    columns: dict[str, Any] = {
        "task": votes.tasks,
        "votes": votes.votes_per_task,
        "label": posterior.label_names(),
        "confidence": posterior.confidence,
    }
    for name in registry.names("ambiguity"):
        scorer: ItemScorer = registry.method("ambiguity", name)
        score = scorer.score(votes, posterior) if scorer.reads == "votes" else np.full(votes.n_tasks, np.nan)
        if not len(score) or not np.isnan(score).all():
            columns[name] = score
    return make_frame(columns, votes.frame_kind)


def agreement(votes: Votes, posterior: Posterior | None = None) -> dict[str, float]:
    """How far the workers agree: every score of `quality/agreement` by name, and the share of unanimous tasks.

    >>> agreement(Votes.from_matrix([[0, 0], [0, 1]]))["pairwise_agreement"]
    0.5
    """
    posterior = of_these(votes, posterior)
    several = votes.votes_per_task >= 2
    unanimous = votes.counts().max(axis=1) == votes.votes_per_task
    scores: dict[str, float] = {"unanimous_tasks": float(unanimous[several].mean()) if several.any() else np.nan}
    for name in registry.names("quality.agreement"):
        scorer: Agreement = registry.method("quality.agreement", name)
        scores[name] = scorer.score(votes, posterior)
    return scores


def of_these(votes: Votes, posterior: Posterior | None) -> Posterior:
    """The posterior, where it is of these votes; where there is none, the default method's."""
    require_votes(votes)
    if posterior is None:
        return aggregate(votes)
    _require_posterior(posterior)
    if not (np.array_equal(posterior.tasks, votes.tasks) and np.array_equal(posterior.classes, votes.classes)):
        raise VotesError("the posterior is of other tasks or classes than the votes: aggregate these votes first")
    if posterior.worker_model is not None and not np.array_equal(posterior.workers, votes.workers):
        raise VotesError("the posterior is of other workers than the votes: aggregate these votes first")
    return posterior


def require_votes(votes: Any) -> None:
    """Refuse what is no Votes."""
    if not isinstance(votes, Votes):
        raise VotesError(
            f"votes must be Votes, got {type(votes).__name__}: make them with Votes.from_frame or read_votes"
        )


def _require_posterior(posterior: Any) -> None:
    if not isinstance(posterior, Posterior):
        raise VotesError(f"a posterior is what aggregate gives, got {type(posterior).__name__}")


def _measured(votes: Votes, name: str, gold: NDArray[np.int64]) -> dict[str, Any]:
    begin = perf_counter()
    try:
        posterior = aggregate(votes, name)
    except MethodError as error:
        return {"method": name, "accuracy": None, "log_loss": None, "seconds": None, "rounds": None, "note": str(error)}
    return {
        "method": name,
        "accuracy": accuracy(posterior.probs, gold),
        "log_loss": log_loss(posterior.probs, gold),
        "seconds": perf_counter() - begin,
        "rounds": len(posterior.objective),
        "note": "; ".join(filter(None, [posterior.note, "" if posterior.converged else "not converged"])),
    }
