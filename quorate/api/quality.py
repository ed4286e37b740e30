"""The functions `workers`, `items` and `copies`: quality of workers and tasks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.api.aggregate import aggregate, of_these
from quorate.api.inputs import VotesLike, as_votes
from quorate.data.frames import make_frame
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.protocols import ItemScorer, WorkerScorer
from quorate.quality.leave_one_out import worker_agreement
from quorate.quality.tuning import TUNING
from quorate.quality.workers.copying import suspects

RANKING = ("consensus_agreement", "consensus_high", "consensus_low")  # in the table even if unknown for all workers
OBSERVED = ("copying", "median_seconds", "peer_agreement", "speed")  # scores that need no consensus, or test chance
TOO_FEW_VOTES = "too few votes"
TOO_FEW_SHARED_TASKS = "too few shared tasks"


def workers(votes: VotesLike, posterior: Posterior | None = None) -> Any:
    """Score the workers: return one row per worker with name, votes, every score of `quality/workers`, and a note.

    Workers are best ranked by consensus_agreement, the agreement with the consensus of the other votes; consensus_low
    and consensus_high are its interval. A worker with fewer than 10 votes on tasks that others voted on has no score
    that depends on the consensus (NaN), and the note is "too few votes" or "too few shared tasks". A score that is
    unknown for all workers, such as speed where the votes have no seconds, is left out.

    votes: Votes, a frame, or the path of a file. posterior: a consensus of these votes; by ensemble without one.

    >>> from quorate import Votes, aggregate
    >>> votes = Votes.from_matrix([[0, 0, 0, 1], [1, 1, 1, 1]] * 5)
    >>> workers(votes, aggregate(votes, "majority"))["consensus_agreement"].to_list()
    [1.0, 1.0, 1.0, 0.5]
    """
    votes = as_votes(votes)
    posterior = of_these(votes, aggregate(votes) if posterior is None else posterior)
    columns: dict[str, Any] = {"worker": votes.workers, "votes": votes.votes_per_worker}
    notes = _notes(votes, posterior)
    for name in registry.names("quality.workers"):
        scorer: WorkerScorer = registry.method("quality.workers", name)
        score = scorer.score(votes, posterior)
        if name not in OBSERVED:
            score = np.where(notes == "", score, np.nan)
        if name in RANKING or not len(score) or not np.isnan(score).all():
            columns[name] = score
    return make_frame(columns | {"note": notes}, votes.frame_kind)


def _notes(votes: Votes, posterior: Posterior) -> NDArray[np.str_]:
    """Return why nothing is stated about the accuracy of each worker; empty where something is: (n_workers,)."""
    reason = np.where(votes.votes_per_worker < TUNING.min_votes, TOO_FEW_VOTES, TOO_FEW_SHARED_TASKS)
    return np.where(worker_agreement(votes, posterior).compared < TUNING.min_votes, reason, "")


def copies(votes: VotesLike, posterior: Posterior | None = None) -> Any:
    """Find pairs of workers who agree far more than independent workers would: one row per pair, most suspicious first.

    Columns: worker, other, common_tasks, agreement and expected (shares of these tasks), z. It does not show who copied
    from whom. The score `copying` documents how z is computed.

    votes: Votes, a frame, or the path of a file. posterior: a consensus of these votes; by dawid_skene without one.

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

    votes, posterior: as in `copies`.

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
