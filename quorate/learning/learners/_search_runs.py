"""Training and scoring of several learners, in this process or in parallel."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import QuorateError
from quorate.inference.bayes import response_log_probs
from quorate.inference.progress import quiet_rounds
from quorate.learning._clone import fresh, single_threaded
from quorate.learning.learners._score_cache import fingerprint
from quorate.learning.scoring import task_score, valid_score
from quorate.parallel import run_jobs
from quorate.protocols import Learner, Valid


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Training data of learners, and the data that they are scored on.

    valid: data that learners are scored on. fit_valid: validation that a learner may use while it trains: the same
    if the caller gave it, None if it was held out.
    """

    x: Any
    votes: Votes
    posterior: Posterior
    valid: Valid
    fit_valid: Valid | None
    metric: str

    def fingerprint(self) -> str:
        """Return a hash of all of the data."""
        model, workers = self.posterior.worker_model, self.posterior.workers
        answers = None if model is None else response_log_probs(model, np.arange(len(workers)), self.votes.n_classes)
        parts = (self.x, self.votes, self.posterior.probs, workers, answers)
        return fingerprint(*parts, self.valid.x, self.valid.gold, self.valid.votes, self.fit_valid is None, self.metric)

    def score(self, learner: Learner) -> tuple[float, str]:
        """Train a copy of a learner; return its score on validation, or NaN and the reason why it has none."""
        try:
            with quiet_rounds():
                learner = fresh(learner).fit(self.x, self.votes, self.posterior, valid=self.fit_valid)
            probs = learner.predict_proba(self.valid.x)
            if self.fit_valid is None and self.valid.votes is not None:  # held-out tasks, which it was not trained on
                score = task_score(probs, self.valid.votes, self.posterior)
            else:
                score = valid_score(probs, self.valid, self.posterior, self.metric)
        except QuorateError as error:
            return np.nan, str(error)
        return score, "" if np.isfinite(score) else f"the score is {score}"


def score_learners(
    evaluation: Evaluation, learners: Sequence[Learner], processes: int
) -> Iterator[tuple[int, float, str]]:
    """Yield (index, score, reason) of every learner, as soon as it is scored."""
    if processes > 1 and len(learners) > 1:
        learners = [single_threaded(learner) for learner in learners]
    for (index, _), outcome in run_jobs(_score, list(enumerate(learners)), evaluation, processes):
        yield index, *outcome


def _score(evaluation: Evaluation, job: tuple[int, Learner]) -> tuple[float, str]:
    _, learner = job
    return evaluation.score(learner)
