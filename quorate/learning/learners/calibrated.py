"""A learner whose probabilities are calibrated on the votes that it learns from."""

from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.calibration.identity_calibrator import Identity
from quorate.calibration.selection import calibrate
from quorate.data.option_checks import require_numbers, require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.progress import quiet_rounds
from quorate.learning._clone import fresh
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.inputs import check_fit_inputs
from quorate.learning.learners._wrapper import StoredWrapper
from quorate.learning.learners.linear import Linear
from quorate.learning.state import State
from quorate.protocols import Calibrator, Learner, OnEpoch, Valid
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Calibrated(StoredWrapper):
    """Any learner, followed by a calibrator that is fitted to its out-of-fold probabilities.

    The targets of the calibrator are the votes, through the model of workers of the posterior that `fit` is given (that
    of dawid_skene, if it has none): no gold is needed. If there are validation items with gold, they are the targets
    instead (which flatters a learner that stops early on the same items). If calibration does not help beyond chance,
    the probabilities stay unchanged, and `calibration_.note` says so.

    After `fit`: `learner_`, `calibrator_`, `calibration_` (whether it helped), and `out_of_fold_`: the calibrated
    out-of-fold probabilities of the training items; None if the targets were gold.

    Args:
        learner: the classifier.
        calibrator: a method of `calibration/`, by name or as an object.
        folds: number of folds.
        seed: decides which tasks are in which fold.

    >>> import numpy as np
    >>> from quorate import Votes, aggregate
    >>> x = np.repeat([[0.0], [1.0]], 20, axis=0)
    >>> votes = Votes.from_matrix(np.repeat([[0, 0, 1], [1, 1, 1]], 20, axis=0))
    >>> Calibrated().fit(x, votes, aggregate(votes)).predict_proba(x).argmax(axis=1)[[0, -1]].tolist()
    [0, 1]
    """

    learner: Learner = field(default_factory=Linear)
    calibrator: str | Calibrator = "temperature"
    folds: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        require_numbers(self, "folds", "seed")
        require_part("learner", self.learner, "Linear()", "fit", "predict_proba")
        if isinstance(self.calibrator, str):
            self.calibrator = cast(Calibrator, registry.method("calibration", self.calibrator))
        require_part("calibrator", self.calibrator, "Temperature()", "fit", "transform")

    def fit(
        self, x: Any, votes: Votes, posterior: Posterior, *, valid: Valid | None = None, on_epoch: OnEpoch | None = None
    ) -> Self:
        """See quorate.protocols.Learner. The trace is that of the learner, uncalibrated."""
        x, valid = check_fit_inputs(x, votes, posterior, valid, on_epoch)
        self.classes_ = votes.classes
        self.out_of_fold_: Array | None = None
        method = cast(Calibrator, self.calibrator)  # a name was looked up at construction
        self.learner_ = self._unfitted().fit(x, votes, posterior, valid=valid, on_epoch=on_epoch)
        if valid is not None and valid.gold is not None:
            pred_probs = self.learner_.predict_proba(valid.x)
            self.calibration_ = calibrate(pred_probs, valid.gold, method=method, folds=self.folds, seed=self.seed)
        else:
            with quiet_rounds():
                pred_probs = cross_fit(self.learner, x, votes, posterior, folds=self.folds, seed=self.seed)
            models = None if posterior.worker_model is None else posterior
            self.calibration_ = calibrate(
                pred_probs, votes=votes, posterior=models, method=method, folds=self.folds, seed=self.seed
            )
            self.out_of_fold_ = self.calibration_.transform(pred_probs)
        self.calibrator_ = self.calibration_.calibrator
        return self

    def predict_proba(self, x: Any) -> Array:
        """Return the calibrated class probabilities of any items: (n, n_classes)."""
        return self.calibrator_.transform(super().predict_proba(x))

    def state(self) -> State:
        """Return what was learnt, for `saving`."""
        values, arrays = super().state()
        changed = not isinstance(self.calibrator_, Identity)
        learnt = cast(Any, self.calibrator_).state() if changed else None
        return values | {"calibrator": learnt}, arrays

    def restore(self, values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Restore what `state` returned."""
        super().restore(values, arrays)
        learnt = values["calibrator"]
        self.calibrator_ = Identity() if learnt is None else fresh(cast(Any, self.calibrator)).restore(learnt)
        n_classes = len(self.classes_)
        with np.errstate(all="ignore"):
            probs = self.calibrator_.transform(np.full((1, n_classes), 1 / n_classes))
        if not np.isfinite(probs).all():
            raise ValueError("what the calibrator has learnt is damaged")  # `saving` turns it into a FileError
