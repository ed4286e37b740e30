"""Network: a learner made of a base, a head, a target, a loss and a recipe."""

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
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.base import Crowd, all_pairs
from quorate.learning.heads.plain import Plain
from quorate.learning.inputs import (
    check_fit_inputs,
    class_totals,
    is_empty_list,
    item_values,
    most_likely_classes,
    require_fitted,
    require_targets,
    require_valid,
)
from quorate.learning.learners._score_cache import fingerprint
from quorate.learning.losses.base import Criterion
from quorate.learning.losses.cross_entropy import CrossEntropy
from quorate.learning.scoring import gold_score, vote_score
from quorate.learning.state import State
from quorate.learning.targets.base import Targets
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.stacked import Stacked
from quorate.learning.training.examples import Batch, Examples
from quorate.learning.training.loop import History, ScoreValid, predict, torch_threads, train
from quorate.learning.training.protocols import Base, Head, Loss, Target
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.rows import Rows
from quorate.protocols import OnEpoch, Valid
from quorate.typing import Array

MAX_NUMBERS = 1 << 24  # computed at a time: the answer of each worker on an item needs a matrix


@dataclass(kw_only=True, eq=False)
class Network:
    """A network that learns from votes: any base x any head x any target x any loss, trained by a recipe.

    After `fit`: `layers_` (the torch module), `history_` (loss and score of each epoch), `classes_`, `workers_`.

    Args:
        base: the layers that read the items.
        head: how votes depend on classes and workers. Plain and MultiTask learn from the target, other heads from the
            votes themselves (a task with gold and without votes teaches those nothing).
        target: what Plain and MultiTask learn from votes and posterior.
        loss: how far a prediction is from its target.
        recipe: how the network is trained.
        seed: of the first weights, and of the order of the examples.

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
        x, valid = check_fit_inputs(x, votes, posterior, valid, on_epoch)
        with torch_threads(self.recipe.threads):
            return self._fit(x, votes, posterior, valid, on_epoch)

    def _fit(self, x: Any, votes: Votes, posterior: Posterior, valid: Valid | None, on_epoch: OnEpoch | None) -> Self:
        self.input_spec_ = self.base.learn(x)
        target = Stacked() if getattr(self.head, "one_vote_per_row", False) else self.target
        targets = target.make(votes, posterior)
        require_targets(targets)
        examples = Examples.of(self.base.rows(x, self.input_spec_), votes, targets)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            self.build_layers(Crowd.of(votes, posterior), votes.classes, votes.workers)
            self._require_votes(votes)
            criterion = self.loss.build(self._class_counts(votes, targets))
            self.history_ = self._train(examples, criterion, valid, posterior, on_epoch)
        return self

    def build_layers(self, crowd: Crowd, classes: Names, workers: Names) -> None:
        """Build untrained layers for these classes and workers, for `fit` and for `restore`.

        Args:
            crowd: what a head must know of the workers.
            classes: names of the classes.
            workers: names of the workers.
        """
        self.crowd_, self.classes_, self.workers_ = crowd, classes, workers
        base: Any = self.base.build(self.input_spec_)
        self.layers_ = Layers(base, self.head.build(base.size, crowd))

    def _require_votes(self, votes: Votes) -> None:
        """Refuse a head that learns from votes if there is only gold."""
        if self._knows_workers and not len(votes):
            head = type(self.head).__name__
            raise MethodError(f"{head} learns from votes, but there are none: use Plain(), which learns from gold")

    def _class_counts(self, votes: Votes, targets: Targets) -> Array:
        """Return the total of each class in the votes, if the head learns from them, otherwise in the targets."""
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
        score_valid = None if valid is None else self._valid_scorer(valid, posterior)
        context = self._checkpoint_context(valid) if self.recipe.checkpoint else ""
        history = train(
            self.layers_,
            examples,
            criterion,
            self.recipe,
            seed=self.seed,
            score_valid=score_valid,
            on_epoch=on_epoch,
            context=context,
        )
        if hasattr(self.layers_.head, "second_phase"):
            self.layers_.fix_base()
            recipe = self.layers_.head.second_phase(self.recipe)
            # This phase does not change the predicted votes of single workers: only the classes can be scored.
            score_valid = None if valid is None else self._valid_scorer(valid, posterior, by_workers=False)
            history = train(self.layers_, examples, criterion, recipe, seed=self.seed, score_valid=score_valid)
        return history

    @property
    def _knows_workers(self) -> bool:
        return hasattr(self.layers_.head, "vote_log_probs")

    def _checkpoint_context(self, valid: Valid | None) -> str:
        """Return what identifies a checkpoint besides weights, items and recipe: the parts and the validation."""
        valid_parts = (
            () if valid is None else (valid.x, valid.votes, () if valid.gold is None else np.asarray(valid.gold))
        )
        return fingerprint(repr((self.base, self.head, self.target, self.loss)), valid_parts)

    def predict_proba(self, x: Any) -> Array:
        """Return the class probabilities of any items: (n, n_classes)."""
        require_fitted(self, "layers_")
        x = item_values(x)
        if is_empty_list(x):
            return np.empty((0, len(self.classes_)))
        with torch_threads(self.recipe.threads):
            return _probs(predict(self.layers_, self.base.rows(x, self.input_spec_)))

    def predict(self, x: Any) -> Names:
        """Return the name of the most likely class of each item: (n,)."""
        return most_likely_classes(self, x)

    def predict_votes(self, x: Any) -> Array:
        """Predict the vote of every worker of the training votes on any items: (n, n_workers, n_classes)."""
        require_fitted(self, "layers_")
        if not self._knows_workers:
            raise MethodError(f"{type(self.head).__name__} has no model of workers: use a head such as CrowdLayer()")
        x = item_values(x)
        if is_empty_list(x):
            return np.empty((0, len(self.workers_), len(self.classes_)))
        with torch_threads(self.recipe.threads):
            return self._predict_votes(self.base.rows(x, self.input_spec_))

    def _predict_votes(self, rows: Rows) -> Array:
        votes = np.empty((len(rows), len(self.workers_), len(self.classes_)))
        size = max(MAX_NUMBERS // max(len(self.workers_) * len(self.classes_) ** 2, 1), 1)
        for part in torch.arange(len(rows)).split(size):
            votes[part.numpy()] = self._all_votes(rows, part)
        return votes

    def state(self) -> State:
        """Return what was learnt, for `saving`."""
        values = {
            "known": self.input_spec_,
            "classes": self.classes_.tolist(),
            "workers": self.workers_.tolist(),
            "losses": self.history_.losses,
            "scores": self.history_.scores,
            "kept": self.history_.kept,
        }
        return values, {name: weight.numpy() for name, weight in self.layers_.state_dict().items()}

    def restore(self, values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Restore what `state` returned."""
        self.input_spec_ = values["known"]
        self.history_ = History(values["losses"], values["scores"], values["kept"])
        classes, workers = as_names(values["classes"]), as_names(values["workers"])
        crowd = Crowd(len(classes), len(workers) + 1)
        with torch.random.fork_rng(devices=[]):
            self._require_shapes(crowd, {name: array.shape for name, array in arrays.items()})
            self.build_layers(crowd, classes, workers)
        self.layers_.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
        self.layers_.eval()

    def _require_shapes(self, crowd: Crowd, shapes: dict[str, tuple[int, ...]]) -> None:
        """Refuse arrays of other layers before memory is allocated: a file may ask for a trillion weights."""
        try:
            with torch.device("meta"):
                base: Any = self.base.build(self.input_spec_)
                layers = Layers(base, self.head.build(base.size, crowd))
        except (RuntimeError, NotImplementedError, QuorateError):
            return  # a base that reads pretrained weights cannot be built on the meta device
        if {name: tuple(weight.shape) for name, weight in layers.state_dict().items()} != shapes:
            raise ValueError("the arrays are those of other layers")

    @torch.no_grad()
    def _all_votes(self, rows: Rows, part: Tensor) -> Array:
        self.layers_.eval()
        item, worker = all_pairs(len(part), len(self.workers_) + 1)
        votes = _probs(self._vote_log_probs(rows.take(part), item, worker))
        return votes.reshape(len(part), len(self.workers_), len(self.classes_))

    def _vote_log_probs(self, x: Any, item: Tensor, worker: Tensor) -> Tensor:
        head = self.layers_.head
        features = self.layers_.base(x)
        if getattr(head, "votes_from_features", False):
            return head.vote_log_probs(features, item, worker)
        return head.vote_log_probs(head.log_probs(features), item, worker)

    def _valid_scorer(self, valid: Valid, posterior: Posterior, *, by_workers: bool = True) -> ScoreValid:
        """Return a function that scores the current layers on validation.

        by_workers: votes are scored by the head's own model of workers if it has one, otherwise by the posterior's.
        """
        require_valid(valid, len(self.classes_), self.classes_)
        rows = self.base.rows(valid.x, self.input_spec_)
        if valid.votes is None:
            gold = np.asarray(valid.gold)
            return lambda: gold_score(_probs(predict(self.layers_, rows)), gold, self.recipe.metric)
        votes = valid.votes
        if not (by_workers and self._knows_workers):
            return lambda: vote_score(_probs(predict(self.layers_, rows)), votes, posterior)
        order, start = votes.by_task.rows, votes.by_task.start
        worker = np.append(lookup(votes.workers, self.workers_), -1)[votes.worker[order]]
        voter = torch.from_numpy(np.where(worker < 0, len(self.workers_), worker).astype(np.int64))
        item = torch.from_numpy(votes.task[order].astype(np.int64))
        label = torch.from_numpy(votes.label[order].astype(np.int64))

        @torch.no_grad()
        def score() -> float:
            total = 0.0
            for part in torch.arange(len(rows)).split(256):
                span = slice(int(start[part[0]]), int(start[part[-1] + 1]))
                log_probs = self._vote_log_probs(rows.take(part), item[span] - part[0], voter[span])
                total += float(log_probs.gather(1, label[span, None]).clamp_min(np.log(1e-9)).sum())
            return total / len(label)

        return score


def _probs(log_probs: Tensor) -> Array:
    """Return probabilities in double precision, whose rows sum to one."""
    probs = log_probs.double().exp().numpy()
    return probs / probs.sum(axis=-1, keepdims=True)


class Layers(nn.Module):
    """A base with a head on it."""

    base: Any  # a module with `size`
    head: Any  # a module with the methods that Head lists

    def __init__(self, base: nn.Module, head: nn.Module) -> None:
        super().__init__()
        self.base, self.head = base, head
        self.base_is_fixed = False

    def fix_base(self) -> None:
        """Freeze the base: no gradients, no dropout, no moving averages."""
        self.base_is_fixed = True
        self.base.requires_grad_(False)

    def train(self, mode: bool = True) -> "Layers":
        """Set the training mode, as any module does; a fixed base stays in evaluation mode."""
        super().train(mode)
        if self.base_is_fixed:
            self.base.eval()
        return self

    def forward(self, batch: Batch, criterion: Criterion) -> tuple[Tensor, Tensor]:
        """Return the loss of a batch, and the log-probabilities of its classes."""
        return self.head(self.base(batch.x), batch, criterion)

    def log_probs(self, x: Any) -> Tensor:
        """Return the log-probabilities of the classes: (n, n_classes)."""
        return self.head.log_probs(self.base(x))
