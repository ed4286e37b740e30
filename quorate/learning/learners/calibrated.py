"""A learner whose probabilities are calibrated by the votes that teach it."""

from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from quorate import registry
from quorate.calibration.identity_calibrator import Identity
from quorate.calibration.selection import calibrate
from quorate.data.ids import Names, as_names
from quorate.data.option_checks import require_numbers, require_part
from quorate.data.posterior import Posterior
from quorate.data.votes import Votes
from quorate.inference.progress import quiet_rounds
from quorate.learning._clone import fresh
from quorate.learning._inputs import fit_inputs, most_likely, require_fitted
from quorate.learning.cross_fitting import cross_fit
from quorate.learning.learners.linear import Linear
from quorate.learning.state import State, Storable, inner, nested
from quorate.protocols import Calibrator, Learner, OnEpoch, Valid
from quorate.typing import Array


@dataclass(kw_only=True, eq=False)
class Calibrated:
    """Any learner, with a calibrator behind it that is fitted to what the learner says of items out of fold.

    What it is fitted to are the votes on these items, through the workers' models of the posterior that `fit` is given
    (by dawid_skene, where it has none): no gold is needed. Where validation items with gold are given, it is fitted to
    those instead (a learner that stops by them is then measured a little too well). Where it does not help beyond
    chance, nothing is changed, and `calibration_.note` says so.
    calibrator: of `calibration/`, by name or as an object.
    After `fit`: `learner_`, `calibrator_`, `calibration_` (whether it helped), and `out_of_fold_`: what is said of the
    taught items, calibrated, where it was fitted to votes; else None.

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
        """See quorate.protocols.Learner. The trace is that of the learner, before calibration."""
        x, valid = fit_inputs(x, votes, posterior, valid, on_epoch)
        self.classes_ = votes.classes
        self.out_of_fold_: Array | None = None
        method = cast(Calibrator, self.calibrator)  # a name was looked up at construction
        self.learner_ = fresh(self.learner).fit(x, votes, posterior, valid=valid, on_epoch=on_epoch)
        if valid is not None and valid.gold is not None:
            said = self.learner_.predict_proba(valid.x)
            self.calibration_ = calibrate(said, valid.gold, method=method, folds=self.folds, seed=self.seed)
        else:
            with quiet_rounds():
                said = cross_fit(self.learner, x, votes, posterior, folds=self.folds, seed=self.seed)
            models = None if posterior.worker_model is None else posterior
            self.calibration_ = calibrate(
                said, votes=votes, posterior=models, method=method, folds=self.folds, seed=self.seed
            )
            self.out_of_fold_ = self.calibration_.transform(said)
        self.calibrator_ = self.calibration_.calibrator
        return self

    def predict_proba(self, x: Any) -> Array:
        """Calibrated class probabilities of any items: (n, n_classes)."""
        require_fitted(self, "learner_")
        return self.calibrator_.transform(self.learner_.predict_proba(x))

    def predict(self, x: Any) -> Names:
        """The most likely class of each item, by name."""
        return most_likely(self, x)

    def state(self) -> State:
        """What was learnt, for `saving`."""
        known, arrays = nested("learner", cast(Storable, self.learner_).state())
        changed = not isinstance(self.calibrator_, Identity)
        learnt = cast(Any, self.calibrator_).state() if changed else None
        return known | {"classes": self.classes_.tolist(), "calibrator": learnt}, arrays

    def restore(self, known: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Take on what `state` gave."""
        self.classes_ = as_names(known["classes"])
        self.learner_ = fresh(self.learner)
        self.learner_.restore(*inner("learner", known, arrays))
        learnt = known["calibrator"]
        self.calibrator_ = Identity() if learnt is None else fresh(cast(Any, self.calibrator)).restore(learnt)
        n_classes = len(self.classes_)
        with np.errstate(all="ignore"):
            said = self.calibrator_.transform(np.full((1, n_classes), 1 / n_classes))
        if not np.isfinite(said).all():
            raise ValueError("what the calibrator has learnt is damaged")  # `saving` tells of it
