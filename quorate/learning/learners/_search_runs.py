"""Learners trained and judged one by one, here or in processes of their own."""

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
class Exam:
    """What learners are taught, and what they are judged by.

    valid: the judge. told: what a learner may look at while it trains, which is the judge where the caller gave it.
    """

    x: Any
    votes: Votes
    posterior: Posterior
    valid: Valid
    told: Valid | None
    metric: str

    def fingerprint(self) -> str:
        """A short text that differs where any of it differs."""
        model, workers = self.posterior.worker_model, self.posterior.workers
        answers = None if model is None else response_log_probs(model, np.arange(len(workers)), self.votes.n_classes)
        parts = (self.x, self.votes, self.posterior.probs, workers, answers)
        return fingerprint(*parts, self.valid.x, self.valid.gold, self.valid.votes, self.told is None, self.metric)

    def take(self, learner: Learner) -> tuple[float, str]:
        """The score of a learner on validation, or NaN and the reason why it has none."""
        try:
            with quiet_rounds():
                learner = fresh(learner).fit(self.x, self.votes, self.posterior, valid=self.told)
            probs = learner.predict_proba(self.valid.x)
            if (
                self.told is None and self.valid.votes is not None
            ):  # whole tasks, of which the learner was taught nothing
                score = task_score(probs, self.valid.votes, self.posterior)
            else:
                score = valid_score(probs, self.valid, self.posterior, self.metric)
        except QuorateError as error:
            return np.nan, str(error)
        return score, "" if np.isfinite(score) else f"the score is {score}"


def results(exam: Exam, learners: Sequence[Learner], processes: int) -> Iterator[tuple[int, float, str]]:
    """Yield (place, score, reason) of every learner, as they are done."""
    if processes > 1 and len(learners) > 1:
        learners = [single_threaded(learner) for learner in learners]
    for (place, _), outcome in run_jobs(_take, list(enumerate(learners)), exam, processes):
        yield place, *outcome


def _take(exam: Exam, job: tuple[int, Learner]) -> tuple[float, str]:
    _, learner = job
    return exam.take(learner)
