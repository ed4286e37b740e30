"""Self-training: votes that are missing are filled in by the learner itself, rare classes first."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quorate.data.checks import gold_labels
from quorate.data.ids import Names, as_names
from quorate.data.option_checks import require_choices, require_numbers
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError
from quorate.inference.progress import report_round
from quorate.learning._clone import fresh, inner_learners
from quorate.learning._inputs import fit_inputs, most_likely, part_of, require_fitted, take_items
from quorate.learning.hold_out import hold_out
from quorate.learning.learners._pseudo_votes import Choose
from quorate.learning.learners._referee import Referee
from quorate.learning.learners._self_training_rounds import Course, Round, Stage, n_missing
from quorate.learning.state import State, Storable, inner, nested
from quorate.learning.tuning import TUNING
from quorate.protocols import OnEpoch, Valid, VoteLearner
from quorate.typing import Array

Metric = Literal["accuracy", "balanced_accuracy"]


def _crowd_layer() -> VoteLearner:
    from quorate.learning.heads.crowd_layer import CrowdLayer
    from quorate.learning.learners.network import Network

    return Network(head=CrowdLayer())


@dataclass(kw_only=True, eq=False)
class SelfTraining:
    """Fills in votes that are missing by what the learner thinks each worker would say, and trains it again on both.

    Each round predicts the vote of every named worker on every task that he did not see, tasks without any vote
    included, and adds some of them for good. choose: "dasc" takes of each class the surest, and the more the rarer the
    class is among them, which evens the classes out; "confidence" the surest of all; "random" any.
    amount: how many in a round; None: a share of the missing ones, found as below.

    Rounds are judged by `valid`: the share of right labels, before any round and after each. The result is the best of
    them, if it is better than none beyond chance: by more than one standard error of the paired difference by gold, and
    two by votes; else the learner stays as it is without any round. By gold, the first round is tried with 10, 20 and
    40 % of the missing votes; by votes with 20 %, and with less where that is not better. Without `valid`, a fifth of
    the tasks with votes is held out to judge by, and what was found is then done with all.
    Without gold it rarely does anything: votes cannot show that undoing a common error of the crowd is right. With
    CrowdLayer, LabelMe gained 3.4 and 5.0 points of accuracy by 500 gold labels (two networks, five seeds each, one of
    the ten left as it was); LabelMe and Music without gold were left as they were, where three rounds taken as they
    come gain 3.5 points on LabelMe and lose 1.5 on Music (two seeds each).
    Where classes really are unbalanced, "dasc" finds more of the rare ones and is right less often:
    metric="balanced_accuracy" judges it by each class alike, where that is wanted.
    roll_back=False takes all rounds as they come, as in the paper (amount=None: 20 %), and may lose points.

    Cost: up to 3 + rounds trainings with `valid`, 4 + 2 * rounds without; 1 + rounds where nothing is rolled back.
    The posterior stays that of the votes there are. `on_epoch` is told of the learner's first training on all of them.
    After `fit`: `learner_`, `rounds_` (see Round), `trials_` (rounds on a part of the tasks, to judge by).
    Paper: "Distribution aware self-training based crowdsourcing learning" (DASC), 2023.

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
        require_numbers(self, "amount", at_least=1, note="None has it found")
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

        gold: class index per task, -1 = none; it only tells how good the pseudo-votes were.
        """
        x, valid = fit_inputs(x, votes, posterior, valid, on_epoch)
        if not votes.n_workers:
            raise MethodError("self-training fills in the votes of named workers, and all of these are anonymous")
        self.classes_, self.workers_ = votes.classes, votes.workers
        known = None if gold is None else gold_labels(gold, votes.n_tasks, votes.n_classes, tasks=votes.tasks)
        course = self._course(x, votes, posterior, valid, known)
        given = () if self.amount is None else (self.amount / max(n_missing(votes), 1),)
        trials = list[Round]()
        if self.roll_back and valid is not None:
            last, self.rounds_ = self._judged(replace(course, referee=self._referee(valid, votes)), given, on_epoch)
        else:
            shares = (given or TUNING.shares_by_votes[:1]) * self.rounds
            if self.roll_back:
                shares, trials = self._found_shares(course, given)
            last = _straight(course, shares, on_epoch)
            self.rounds_ = [replace(record, kept=True) for record in last.rounds]
        self.learner_, self.trials_ = last.learner, trials
        return self

    def predict_proba(self, x: Any) -> Array:
        """Class probabilities of any items: (n, n_classes)."""
        require_fitted(self, "learner_")
        return self.learner_.predict_proba(x)

    def predict(self, x: Any) -> Names:
        """The most likely class of each item, by name."""
        return most_likely(self, x)

    def predict_votes(self, x: Any) -> Array:
        """What every worker of training would say of any items: (n, n_workers, n_classes)."""
        require_fitted(self, "learner_")
        return self.learner_.predict_votes(x)

    def state(self) -> State:
        """What was learnt, for `saving`; the record of the rounds is not among it."""
        known, arrays = nested("learner", cast(Storable, self.learner_).state())
        return known | {"classes": self.classes_.tolist(), "workers": self.workers_.tolist()}, arrays

    def restore(self, known: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Take on what `state` gave."""
        self.classes_, self.workers_ = as_names(known["classes"]), as_names(known["workers"])
        learner = fresh(self.learner)
        learner.restore(*inner("learner", known, arrays))
        self.learner_ = learner

    def _course(
        self, x: Any, votes: Votes, posterior: Posterior, valid: Valid | None, gold: NDArray[np.int64] | None
    ) -> Course:
        random = np.random.default_rng(self.seed)
        most = 1 + self.rounds
        if self.roll_back:
            most += len(TUNING.shares_by_votes) + self.rounds if valid is None else len(TUNING.shares_by_gold) - 1
        return Course(self.learner, x, votes, posterior, valid, gold, self.choose, random, _counter(most))

    def _referee(self, valid: Valid, votes: Votes) -> Referee:
        return Referee.of(valid, votes.n_classes, balanced=self.metric == "balanced_accuracy")

    def _judged(
        self, course: Course, given: tuple[float, ...], on_epoch: OnEpoch | None = None
    ) -> tuple[Stage, list[Round]]:
        """The stage to be kept, and all rounds that were judged."""
        referee = course.referee
        assert referee is not None
        path = [course.start(on_epoch)]
        tried = [] if path[0].is_full else _first_rounds(course, path[0], given)
        if tried:
            path.append(max(tried, key=lambda stage: stage.score) if referee.by_gold else tried[-1])
        while 1 < len(path) <= self.rounds and not path[-1].is_full and _is_promising(path[-1], path[0], referee):
            path.append(course.after(path[-1], path[1].rounds[0].share))
        better = [stage for stage in path[1:] if referee.prefers(stage.hits, path[0].hits)]
        last = max(better, key=lambda stage: stage.score, default=path[0])  # of equals the first
        records = [stage.rounds[-1] for stage in (*tried, *path[2:])]
        return last, [replace(record, kept=any(record is one for one in last.rounds)) for record in records]

    def _found_shares(self, course: Course, given: tuple[float, ...]) -> tuple[tuple[float, ...], list[Round]]:
        """The share to add in each round, judged on tasks that are held out; nothing where there are too few."""
        rest, kept_back = hold_out(course.votes, TUNING.held_out_share, self.seed)
        if not len(kept_back):
            return (), []
        judge = Valid(x=take_items(course.x, kept_back), votes=course.votes.subset(tasks=kept_back))
        part = replace(
            course,
            x=take_items(course.x, rest),
            votes=course.votes.subset(tasks=rest),
            posterior=part_of(course.posterior, rest),
            gold=None if course.gold is None else course.gold[rest],
            referee=self._referee(judge, course.votes),
        )
        last, trials = self._judged(part, given)
        return tuple(record.share for record in last.rounds), trials


def _require_votes_of(learner: Any) -> None:
    """Refuse a learner that cannot predict votes, before anything is trained."""
    if not hasattr(learner, "predict_votes"):
        given = type(learner).__name__
        raise MethodError(f"{given} cannot predict votes: use a network with a head such as CrowdLayer()")
    if hasattr(learner, "head") and not _knows_workers(learner.head):
        given = type(learner.head).__name__
        raise MethodError(f"{given} knows nothing of workers: use a head such as CrowdLayer()")
    for one in () if hasattr(learner, "options") else inner_learners(learner).values():  # a search may change the head
        _require_votes_of(one)


def _knows_workers(head: Any) -> bool:
    """Whether the layers of a head tell what each worker says: seen by building small ones."""
    import torch

    from quorate.learning.heads.base import Crowd

    with torch.random.fork_rng(devices=[]):
        return hasattr(head.build(1, Crowd(2, 2)), "vote_log_probs")


def _first_rounds(course: Course, base: Stage, given: tuple[float, ...]) -> list[Stage]:
    """The first round with each share by gold; by votes, until one is better than none."""
    referee = course.referee
    assert referee is not None
    tried = list[Stage]()
    for share in given or (TUNING.shares_by_gold if referee.by_gold else TUNING.shares_by_votes):
        tried.append(course.after(base, share))
        if not referee.by_gold and referee.prefers(tried[-1].hits, base.hits):
            break
    return tried


def _is_promising(stage: Stage, base: Stage, referee: Referee) -> bool:
    """Whether one more round may pay: by gold unless none at all is better, by votes only if this one is better."""
    if referee.by_gold:
        return not referee.prefers(base.hits, stage.hits)
    return referee.prefers(stage.hits, base.hits)


def _straight(course: Course, shares: tuple[float, ...], on_epoch: OnEpoch | None) -> Stage:
    """Rounds that are taken as they come."""
    stage = course.start(on_epoch)
    for share in shares:
        stage = stage if stage.is_full else course.after(stage, share)
    return stage


def _counter(most: int) -> Callable[[], None]:
    """Reports one more training done at each call."""
    done = 0

    def trained() -> None:
        nonlocal done
        done += 1
        report_round(done, most)

    return trained
