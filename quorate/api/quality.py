"""The functions `workers`, `items`, `copies` and `agreement`: quality of workers, tasks and votes."""

from __future__ import annotations

from typing import Any

import numpy as np

from quorate import registry
from quorate.api.aggregate import of_these
from quorate.api.inputs import VotesLike, as_votes
from quorate.data.frames import make_frame
from quorate.data.posterior import Posterior
from quorate.protocols import Agreement, ItemScorer, WorkerScorer
from quorate.quality.workers.copying import suspects


def workers(votes: VotesLike, posterior: Posterior | None = None) -> Any:
    """Score the workers: return one row per worker with name, votes, and every score of `quality/workers`.

    A score that is unknown for all workers, such as speed where the votes have no seconds, is left out.

    votes: Votes, a frame, or the path of a file. posterior: a consensus of these votes; by dawid_skene without one.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> workers(votes, aggregate(votes, "majority"))["consensus_agreement"].to_list()
    [1.0, 1.0, 0.5]
    """
    votes = as_votes(votes)
    posterior = of_these(votes, posterior)
    columns: dict[str, Any] = {"worker": votes.workers, "votes": votes.votes_per_worker}
    for name in registry.names("quality.workers"):
        scorer: WorkerScorer = registry.method("quality.workers", name)
        score = scorer.score(votes, posterior)
        if not len(score) or not np.isnan(score).all():
            columns[name] = score
    return make_frame(columns, votes.frame_kind)


def copies(votes: VotesLike, posterior: Posterior | None = None) -> Any:
    """Find pairs of workers who agree far more than independent workers would: one row per pair, most suspicious first.

    Columns: worker, other, common_tasks, agreement and expected (shares of these tasks), z. It does not show who copied
    from whom. The score `copying` documents how z is computed. votes, posterior: as in `workers`.

    >>> from quorate import Votes
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> len(copies(votes))
    0
    """
    votes = as_votes(votes)
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


def items(votes: VotesLike, posterior: Posterior | None = None) -> Any:
    """Score the tasks: return one row per task with name, votes, consensus label, confidence, and every score of votes.

    votes, posterior: as in `workers`.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 1], [1, 1, 1]])
    >>> items(votes, aggregate(votes, "majority"))["uncertainty"].round(3).to_list()
    [0.637, 0.0]
    """
    votes = as_votes(votes)
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


def agreement(votes: VotesLike, posterior: Posterior | None = None) -> dict[str, float]:
    """Measure how far the workers agree: every score of `quality/agreement` by name, and the share of unanimous tasks.

    votes: Votes, a frame, or the path of a file. posterior: a consensus of these votes; by dawid_skene without one.

    >>> from quorate import Votes
    >>> agreement(Votes.from_matrix([[0, 0], [0, 1]]))["pairwise_agreement"]
    0.5
    """
    votes = as_votes(votes)
    posterior = of_these(votes, posterior)
    several = votes.votes_per_task >= 2
    unanimous = votes.counts().max(axis=1) == votes.votes_per_task
    scores: dict[str, float] = {"unanimous_tasks": float(unanimous[several].mean()) if several.any() else np.nan}
    for name in registry.names("quality.agreement"):
        scorer: Agreement = registry.method("quality.agreement", name)
        scores[name] = scorer.score(votes, posterior)
    return scores
