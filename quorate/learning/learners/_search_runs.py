"""Learners trained and judged one by one, here or in processes of their own."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np

from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, QuorateError
from quorate.inference.bayes import response_log_probs
from quorate.inference.progress import quiet_rounds
from quorate.learning._clone import fresh, single_threaded
from quorate.learning.learners._score_cache import fingerprint
from quorate.learning.scoring import task_score, valid_score
from quorate.parallel import one_blas_thread
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
    """(place, score, reason) of every learner, as they are done."""
    if processes == 1 or len(learners) < 2:
        for place, learner in enumerate(learners):
            yield place, *exam.take(learner)
        return
    spawn = get_context("spawn")  # a forked process would share torch's threads, and wait for them for ever
    with ProcessPoolExecutor(min(processes, len(learners)), spawn, _set_up, (exam,)) as pool:
        places: dict[Future[tuple[float, str]], int] = {
            pool.submit(_take_here, learner): place for place, learner in enumerate(learners)
        }
        try:
            for done in as_completed(places):
                yield places[done], *done.result()
        except BrokenProcessPool:
            raise MethodError("a process of the search was ended, perhaps for want of memory: use fewer") from None
        finally:
            pool.shutdown(cancel_futures=True)


_exam: Exam | None = None  # of this process, which was started for it


def _set_up(exam: Exam) -> None:
    global _exam
    _exam = exam


def _take_here(learner: Learner) -> tuple[float, str]:
    assert _exam is not None
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    with one_blas_thread():
        return _exam.take(single_threaded(learner))
