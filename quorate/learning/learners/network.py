"""Network: a base, a head, a target, a loss and a recipe, put together as a learner."""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from quorate.data.ids import Names, as_names, lookup
from quorate.data.option_checks import require_numbers, require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.errors import MethodError, QuorateError
from quorate.learning._inputs import (
    class_totals,
    fit_inputs,
    is_empty_list,
    most_likely,
    plain,
    require_fitted,
    require_taught,
    require_valid,
)
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.base import Crowd, all_pairs
from quorate.learning.heads.plain import Plain
from quorate.learning.learners._score_cache import fingerprint
from quorate.learning.losses.base import Criterion
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.scoring import gold_score, vote_score
from quorate.learning.state import State
from quorate.learning.targets.base import Targets
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.examples import Batch, Examples
from quorate.learning.training.loop import History, Judge, predict, torch_threads, train
from quorate.learning.training.protocols import Base, Head, Loss, Target
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.rows import Rows
from quorate.protocols import OnEpoch, Valid
from quorate.typing import Array

ROOM = 1 << 24  # numbers that are worked out at a time: each answer of a worker on an item takes a matrix


@dataclass(kw_only=True, eq=False)
class Network:
    """A network that learns from votes: any base x any head x any target x any loss, trained by a recipe.

    base: what it sees. head: how it explains the votes; Plain and MultiTask are taught by the target, others by the
    votes themselves (a task that has gold and no votes teaches those nothing).
    After `fit`: `layers_` (the torch module), `history_` (loss and score of each epoch), `classes_`, `workers_`.

    >>> from quorate import Votes, aggregate
    >>> x = np.array([[0.0, 1.0], [0.2, 0.9], [1.0, 0.1], [0.9, 0.0]])
    >>> votes = Votes.from_matrix([[0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 0, 1]])
    >>> network = Network(base=Mlp(sizes=(8,)), recipe=Recipe(epochs=50, lr=0.01))
    >>> network.fit(x, votes, aggregate(votes, "majority")).predict_proba(x).argmax(axis=1).tolist()
    [0, 0, 1, 1]
    """

    base: Base = field(default_factory=Mlp)
    head: Head = field(default_factory=Plain)
    target: Target = field(default_factory=Soft)
    loss: Loss = field(default_factory=CrossEntropy)
    recipe: Recipe = field(default_factory=Recipe)
    seed: int = 0

    def __post_init__(self) -> None:
        require_part("base", self.base, "Mlp()", "learn", "build", "rows")
        require_part("head", self.head, "CrowdLayer()", "build")
        require_part("target", self.target, "Soft()", "make")
        require_part("loss", self.loss, "CrossEntropy()", "build")
        if not isinstance(self.recipe, Recipe):
            raise MethodError(f"recipe must be a Recipe, such as Recipe(epochs=20), got {self.recipe!r}")
        require_numbers(self, "seed")

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        """See quorate.protocols.Learner."""
        x, valid = fit_inputs(x, votes, posterior, valid, on_epoch)
        with torch_threads(self.recipe.threads):
            return self._fit(x, votes, posterior, valid, on_epoch)

    def _fit(self, x: Any, votes: Votes, posterior: Posterior, valid: Valid | None, on_epoch: OnEpoch | None) -> Self:
        self.known_ = self.base.learn(x)
        target = Stacked() if getattr(self.head, "one_vote_per_row", False) else self.target
        targets = target.make(votes, posterior)
        require_taught(targets)
        examples = Examples.of(self.base.rows(x, self.known_), votes, targets)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            self.build_layers(Crowd.of(votes, posterior), votes.classes, votes.workers)
            self._require_votes(votes)
            criterion = self.loss.build(self._class_counts(votes, targets))
            self.history_ = self._train(examples, criterion, valid, posterior, on_epoch)
        return self

    def build_layers(self, crowd: Crowd, classes: Names, workers: Names) -> None:
        """Make untrained layers for these classes and workers, as `fit` does and loading from a file."""
        self.crowd_, self.classes_, self.workers_ = crowd, classes, workers
        base: Any = self.base.build(self.known_)
        self.layers_ = Layers(base, self.head.build(base.size, crowd))

    def _require_votes(self, votes: Votes) -> None:
        """Refuse to teach a head by votes where there is only gold."""
        if self._knows_workers and not len(votes):
            head = type(self.head).__name__
            raise MethodError(f"{head} learns from votes, and there are none: use Plain(), which learns from gold")

    def _class_counts(self, votes: Votes, targets: Targets) -> Array:
        """How much of each class is taught: by votes where the head is taught by them, else by targets."""
        if self._knows_workers:
            return np.bincount(votes.label, minlength=votes.n_classes).astype(np.float64)
        return class_totals(targets.probs, targets.weight)

    def _train(
        self,
        examples: Examples,
        criterion: Criterion,
        valid: Valid | None,
        posterior: Posterior,
        on_epoch: OnEpoch | None,
    ) -> History:
        judge = None if valid is None else self._judge(valid, posterior)
        what = self._what(valid) if self.recipe.checkpoint else ""
        history = train(
            self.layers_, examples, criterion, self.recipe, seed=self.seed, judge=judge, on_epoch=on_epoch, what=what
        )
        if hasattr(self.layers_.head, "second_phase"):
            self.layers_.fix_base()
            recipe = self.layers_.head.second_phase(self.recipe)
            # Nothing that is learnt now changes what a single worker says: only the prediction can be judged.
            judge = None if valid is None else self._judge(valid, posterior, by_workers=False)
            history = train(self.layers_, examples, criterion, recipe, seed=self.seed, judge=judge)
        return history

    @property
    def _knows_workers(self) -> bool:
        return hasattr(self.layers_.head, "vote_log_probs")

    def _what(self, valid: Valid | None) -> str:
        """What a checkpoint must be of besides the weights, the items and the recipe: the parts and the validation."""
        judged = () if valid is None else (valid.x, valid.votes, () if valid.gold is None else np.asarray(valid.gold))
        return fingerprint(repr((self.base, self.head, self.target, self.loss)), judged)

    def predict_proba(self, x: Any) -> Array:
        """Class probabilities of any items: (n, n_classes)."""
        require_fitted(self, "layers_")
        x = plain(x)
        if is_empty_list(x):
            return np.empty((0, len(self.classes_)))
        with torch_threads(self.recipe.threads):
            return _numbers(predict(self.layers_, self.base.rows(x, self.known_)))

    def predict(self, x: Any) -> Names:
        """The most likely class of each item, by name."""
        return most_likely(self, x)

    def predict_votes(self, x: Any) -> Array:
        """What every worker of training would say of any items: (n, n_workers, n_classes)."""
        require_fitted(self, "layers_")
        if not self._knows_workers:
            raise MethodError(f"{type(self.head).__name__} knows nothing of workers: use a head such as CrowdLayer()")
        x = plain(x)
        if is_empty_list(x):
            return np.empty((0, len(self.workers_), len(self.classes_)))
        with torch_threads(self.recipe.threads):
            return self._predict_votes(self.base.rows(x, self.known_))

    def _predict_votes(self, rows: Rows) -> Array:
        said = np.empty((len(rows), len(self.workers_), len(self.classes_)))
        size = max(ROOM // max(len(self.workers_) * len(self.classes_) ** 2, 1), 1)
        for part in torch.arange(len(rows)).split(size):
            said[part.numpy()] = self._all_votes(rows, part)
        return said

    def state(self) -> State:
        """What was learnt, for `saving`."""
        known = {
            "known": self.known_,
            "classes": self.classes_.tolist(),
            "workers": self.workers_.tolist(),
            "losses": self.history_.losses,
            "scores": self.history_.scores,
            "kept": self.history_.kept,
        }
        return known, {name: weight.numpy() for name, weight in self.layers_.state_dict().items()}

    def restore(self, known: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Take on what `state` gave."""
        self.known_ = known["known"]
        self.history_ = History(known["losses"], known["scores"], known["kept"])
        classes, workers = as_names(known["classes"]), as_names(known["workers"])
        crowd = Crowd(len(classes), len(workers) + 1)
        with torch.random.fork_rng(devices=[]):
            self._require_shapes(crowd, {name: array.shape for name, array in arrays.items()})
            self.build_layers(crowd, classes, workers)
        self.layers_.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
        self.layers_.eval()

    def _require_shapes(self, crowd: Crowd, shapes: dict[str, tuple[int, ...]]) -> None:
        """Refuse arrays of other layers, before memory is taken for these: a file may ask for a trillion weights."""
        try:
            with torch.device("meta"):
                base: Any = self.base.build(self.known_)
                layers = Layers(base, self.head.build(base.size, crowd))
        except (RuntimeError, NotImplementedError, QuorateError):
            return  # what reads weights from elsewhere cannot be built without memory
        if {name: tuple(weight.shape) for name, weight in layers.state_dict().items()} != shapes:
            raise ValueError("the arrays are of other layers")

    @torch.no_grad()
    def _all_votes(self, rows: Rows, part: Tensor) -> Array:
        self.layers_.eval()
        item, worker = all_pairs(len(part), len(self.workers_) + 1)
        said = _numbers(self._vote_log_probs(rows.take(part), item, worker))
        return said.reshape(len(part), len(self.workers_), len(self.classes_))

    def _vote_log_probs(self, x: Any, item: Tensor, worker: Tensor) -> Tensor:
        head = self.layers_.head
        features = self.layers_.base(x)
        if getattr(head, "votes_from_features", False):
            return head.vote_log_probs(features, item, worker)
        return head.vote_log_probs(head.log_probs(features), item, worker)

    def _judge(self, valid: Valid, posterior: Posterior, *, by_workers: bool = True) -> Judge:
        """Scores the layers as they are now on validation; votes by the head's own workers, or by the posterior's."""
        require_valid(valid, len(self.classes_), self.classes_)
        rows = self.base.rows(valid.x, self.known_)
        if valid.votes is None:
            gold = np.asarray(valid.gold)
            return lambda: gold_score(_numbers(predict(self.layers_, rows)), gold, self.recipe.metric)
        votes = valid.votes
        if not (by_workers and self._knows_workers):
            return lambda: vote_score(_numbers(predict(self.layers_, rows)), votes, posterior)
        order, start = votes.by_task.rows, votes.by_task.start
        worker = np.append(lookup(votes.workers, self.workers_), -1)[votes.worker[order]]
        voter = torch.from_numpy(np.where(worker < 0, len(self.workers_), worker).astype(np.int64))
        item = torch.from_numpy(votes.task[order].astype(np.int64))
        said = torch.from_numpy(votes.label[order].astype(np.int64))

        @torch.no_grad()
        def score() -> float:
            total = 0.0
            for part in torch.arange(len(rows)).split(256):
                here = slice(int(start[part[0]]), int(start[part[-1] + 1]))
                log_probs = self._vote_log_probs(rows.take(part), item[here] - part[0], voter[here])
                total += float(log_probs.gather(1, said[here, None]).clamp_min(np.log(1e-9)).sum())
            return total / len(said)

        return score


def _numbers(log_probs: Tensor) -> Array:
    """Probabilities in double precision, whose rows sum to one."""
    probs = log_probs.double().exp().numpy()
    return probs / probs.sum(axis=-1, keepdims=True)


class Layers(nn.Module):
    """A base with a head on it."""

    base: Any  # a module with `size`
    head: Any  # a module with what Head says

    def __init__(self, base: nn.Module, head: nn.Module) -> None:
        super().__init__()
        self.base, self.head = base, head
        self.base_is_fixed = False

    def fix_base(self) -> None:
        """Learn the base no more: no gradients, no dropout, no moving averages."""
        self.base_is_fixed = True
        self.base.requires_grad_(False)

    def train(self, mode: bool = True) -> "Layers":
        """As any module; a base that is fixed stays in evaluation mode."""
        super().train(mode)
        if self.base_is_fixed:
            self.base.eval()
        return self

    def forward(self, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """The loss of a batch, and the log-probabilities of its classes."""
        return self.head(self.base(batch.x), batch, criterion)

    def log_probs(self, x: Any) -> Tensor:
        """Log-probabilities of the classes: (n, n_classes)."""
        return self.head.log_probs(self.base(x))
