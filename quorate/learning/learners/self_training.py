"""Self-training: the learner fills in missing votes itself, rare classes first."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import gold_labels
from quorate.data.ids import as_names
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.progress import report_round
from quorate.learning._clone import inner_learners
from quorate.learning.hold_out import hold_out
from quorate.learning.inputs import check_fit_inputs, require_fitted, subset_posterior, take_items
from quorate.learning.learners._pseudo_votes import Choose
from quorate.learning.learners._referee import Referee
from quorate.learning.learners._self_training_rounds import Round, Stage, TrainingRun, n_missing
from quorate.learning.learners._wrapper import StoredWrapper
from quorate.learning.state import State
from quorate.learning.tuning import TUNING
from quorate.protocols import OnEpoch, Valid, VoteLearner
from quorate.typing import Array

Metric = Literal["accuracy", "balanced_accuracy"]


def _crowd_layer() -> VoteLearner:
    from quorate.learning.heads.crowd_layer import CrowdLayer
    from quorate.learning.learners.network import Network

    return Network(head=CrowdLayer())


@dataclass(kw_only=True, eq=False)
class SelfTraining(StoredWrapper):
    """Fills in missing votes with the learner's predictions for each worker, and trains it again on all votes.

    Each round predicts the vote of every named worker on every task that the worker did not see, tasks without any vote
    included, and adds some of these pseudo-votes permanently.

    Rounds are scored on `valid` by accuracy. The result is the best round, if it is better than no round beyond chance:
    by more than one standard error of the paired difference on gold, and two on votes; otherwise the learner without
    any round. With gold, the first round is tried with 10, 20 and 40% of the missing votes; with votes, with 20%, and
    with less if that is not better. Without `valid`, a fifth of the tasks with votes is held out for scoring, and the
    rounds that were best are then repeated with all tasks.
    Without gold, rounds are rarely kept: votes cannot show that correcting a common error of the crowd is right. With
    CrowdLayer, LabelMe gained 3.4 and 5.0 points of accuracy with 500 gold labels (two networks, five seeds each; one
    of the ten runs kept no round). Without gold, no round was kept on LabelMe and Music; three rounds without roll-back
    gain 3.5 points on LabelMe and lose 1.5 on Music (two seeds each).
    If classes really are unbalanced, "dasc" finds more of the rare ones and is less accurate;
    metric="balanced_accuracy" gives every class the same weight in the score.

    Cost: up to 3 + rounds trainings with `valid`, 4 + 2 * rounds without; 1 + rounds without roll-back.
    The posterior stays that of the real votes. `on_epoch` receives the learner's first training on all of them.
    After `fit`: `learner_`, `rounds_` (see Round), `trials_` (rounds that were scored on held-out tasks).
    Paper: "Distribution aware self-training based crowdsourcing learning" (DASC), 2023.

    Args:
        learner: a classifier that predicts the votes of workers.
        choose: "dasc" takes the most certain pseudo-votes of each class, and more of the rarer ones, which balances the
            classes; "confidence" the most certain of all; "random" any.
        amount: number of pseudo-votes in a round; None: a share of the missing votes, chosen as above.
        rounds: number of rounds at most.
        metric: "accuracy" or "balanced_accuracy".
        roll_back: False keeps all rounds, as in the paper (amount=None: 20%), and may lose accuracy.
        seed: of the tasks that are held out, and of random choices.

    >>> from quorate import Votes, aggregate
    >>> x = np.repeat([[0.0], [1.0]], 10, axis=0)
    >>> votes = Votes.from_matrix(np.repeat([[0, 0, -1], [1, -1, 1]], 10, axis=0))
    >>> result = SelfTraining(amount=10, rounds=1, roll_back=False).fit(x, votes, aggregate(votes, "majority"))
    >>> result.rounds_[0].added
    (5, 5)
    """

    learner: VoteLearner = field(default_factory=_crowd_layer)
    choose: Choose = "dasc"
    amount: int | None = None
    rounds: int = 3
    metric: Metric = "accuracy"
    roll_back: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        require_choices(self)
        require_numbers(self, "rounds", at_least=1)
        require_numbers(self, "amount", at_least=1, note="None: chosen by validation")
        _require_votes_of(self.learner)

    def fit(
        self,
        x: Any,
        votes: Votes,
        posterior: Posterior,
        *,
        valid: Valid | None = None,
        on_epoch: OnEpoch | None = None,
        gold: ArrayLike | None = None,
    ) -> Self:
        """See quorate.protocols.Learner.

        gold: class index per task, -1 = none; only used to measure the quality of pseudo-votes.
        """
        x, valid = check_fit_inputs(x, votes, posterior, valid, on_epoch)
        if not votes.n_workers:
            raise MethodError(
                "self-training fills in the votes of named workers, but all workers are anonymous: name them"
            )
        self.classes_, self.workers_ = votes.classes, votes.workers
        gold_index = None if gold is None else gold_labels(gold, votes.n_tasks, votes.n_classes, tasks=votes.tasks)
        run = self._training_run(x, votes, posterior, valid, gold_index)
        shares = () if self.amount is None else (self.amount / max(n_missing(votes), 1),)
        trials = list[Round]()
        if self.roll_back and valid is not None:
            last, self.rounds_ = self._score_rounds(replace(run, referee=self._referee(valid, votes)), shares, on_epoch)
        else:
            round_shares = (shares or TUNING.shares_by_votes[:1]) * self.rounds
            if self.roll_back:
                round_shares, trials = self._choose_shares(run, shares)
            last = _run_rounds(run, round_shares, on_epoch)
            self.rounds_ = [replace(record, kept=True) for record in last.rounds]
        self.learner_, self.trials_ = last.learner, trials
        return self

    def predict_votes(self, x: Any) -> Array:
        """Predict the vote of every worker of the training votes on any items: (n, n_workers, n_classes)."""
        require_fitted(self, "learner_")
        return self.learner_.predict_votes(x)

    def state(self) -> State:
        """Return what was learnt, for `saving`, without the record of the rounds."""
        values, arrays = super().state()
        return values | {"workers": self.workers_.tolist()}, arrays

    def restore(self, values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Restore what `state` returned."""
        super().restore(values, arrays)
        self.workers_ = as_names(values["workers"])

    def _training_run(
        self, x: Any, votes: Votes, posterior: Posterior, valid: Valid | None, gold: NDArray[np.int64] | None
    ) -> TrainingRun:
        random = np.random.default_rng(self.seed)
        max_trainings = 1 + self.rounds
        if self.roll_back:
            max_trainings += (
                len(TUNING.shares_by_votes) + self.rounds if valid is None else len(TUNING.shares_by_gold) - 1
            )
        return TrainingRun(
            self.learner, x, votes, posterior, valid, gold, self.choose, random, _training_counter(max_trainings)
        )

    def _referee(self, valid: Valid, votes: Votes) -> Referee:
        return Referee.of(valid, votes.n_classes, balanced=self.metric == "balanced_accuracy")

    def _score_rounds(
        self, run: TrainingRun, shares: tuple[float, ...], on_epoch: OnEpoch | None = None
    ) -> tuple[Stage, list[Round]]:
        """Return the stage to be kept, and all rounds that were scored."""
        referee = run.referee
        assert referee is not None
        path = [run.start(on_epoch)]
        tried = [] if path[0].is_full else _first_rounds(run, path[0], shares)
        if tried:
            path.append(max(tried, key=lambda stage: stage.score) if referee.by_gold else tried[-1])
        while 1 < len(path) <= self.rounds and not path[-1].is_full and _is_promising(path[-1], path[0], referee):
            path.append(run.next_stage(path[-1], path[1].rounds[0].share))
        better = [stage for stage in path[1:] if referee.prefers(stage.hits, path[0].hits)]
        last = max(better, key=lambda stage: stage.score, default=path[0])  # the first, if scores are equal
        records = [stage.rounds[-1] for stage in (*tried, *path[2:])]
        return last, [replace(record, kept=any(record is kept for kept in last.rounds)) for record in records]

    def _choose_shares(self, run: TrainingRun, shares: tuple[float, ...]) -> tuple[tuple[float, ...], list[Round]]:
        """Return the share to add in each round, chosen on held-out tasks; empty if there are too few."""
        rest, held_out = hold_out(run.votes, TUNING.held_out_share, self.seed)
        if not len(held_out):
            return (), []
        valid = Valid(x=take_items(run.x, held_out), votes=run.votes.subset(tasks=held_out))
        part = replace(
            run,
            x=take_items(run.x, rest),
            votes=run.votes.subset(tasks=rest),
            posterior=subset_posterior(run.posterior, rest),
            gold=None if run.gold is None else run.gold[rest],
            referee=self._referee(valid, run.votes),
        )
        last, trials = self._score_rounds(part, shares)
        return tuple(record.share for record in last.rounds), trials


def _require_votes_of(learner: Any) -> None:
    """Refuse a learner that cannot predict votes, before anything is trained."""
    if not hasattr(learner, "predict_votes"):
        name = type(learner).__name__
        raise MethodError(f"{name} cannot predict votes: use a network with a head such as CrowdLayer()")
    if hasattr(learner, "head") and not _has_worker_model(learner.head):
        name = type(learner.head).__name__
        raise MethodError(f"{name} has no model of workers: use a head such as CrowdLayer()")
    if not hasattr(learner, "options"):  # a search may change the head
        for value in inner_learners(learner).values():
            _require_votes_of(value)


def _has_worker_model(head: Any) -> bool:
    """Build small layers of a head; return True if they predict the votes of workers."""
    import torch

    from quorate.learning.heads.base import Crowd

    with torch.random.fork_rng(devices=[]):
        return hasattr(head.build(1, Crowd(2, 2)), "vote_log_probs")


def _first_rounds(run: TrainingRun, base: Stage, shares: tuple[float, ...]) -> list[Stage]:
    """Try the first round with each share on gold; on votes, until one is better than no round."""
    referee = run.referee
    assert referee is not None
    tried = list[Stage]()
    for share in shares or (TUNING.shares_by_gold if referee.by_gold else TUNING.shares_by_votes):
        tried.append(run.next_stage(base, share))
        if not referee.by_gold and referee.prefers(tried[-1].hits, base.hits):
            break
    return tried


def _is_promising(stage: Stage, base: Stage, referee: Referee) -> bool:
    """Return True if another round may help: on gold unless the base is better, on votes if the stage is better."""
    if referee.by_gold:
        return not referee.prefers(base.hits, stage.hits)
    return referee.prefers(stage.hits, base.hits)


def _run_rounds(run: TrainingRun, shares: tuple[float, ...], on_epoch: OnEpoch | None) -> Stage:
    """Run one round per share, without scoring."""
    stage = run.start(on_epoch)
    for share in shares:
        stage = stage if stage.is_full else run.next_stage(stage, share)
    return stage


def _training_counter(max_trainings: int) -> Callable[[], None]:
    """Return a function that reports one more finished training at each call."""
    done = 0

    def report_training() -> None:
        nonlocal done
        done += 1
        report_round(done, max_trainings)

    return report_training
