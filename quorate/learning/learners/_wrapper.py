"""Prediction and storage of learners that wrap another one."""

from typing import Any

from numpy.typing import NDArray

from quorate.data.ids import Names, as_names
from quorate.learning._clone import fresh
from quorate.learning.inputs import most_likely_classes, require_fitted
from quorate.learning.state import State, inner_state, nest_state
from quorate.typing import Array


class Wrapper:
    """A learner whose `fit` sets `learner_`, which makes the predictions, and `classes_`."""

    learner: Any  # the option, unfitted
    learner_: Any
    classes_: Names

    def predict_proba(self, x: Any) -> Array:
        """Return the class probabilities of any items: (n, n_classes)."""
        require_fitted(self, "learner_")
        return self.learner_.predict_proba(x)

    def predict(self, x: Any) -> Names:
        """Return the name of the most likely class of each item: (n,)."""
        return most_likely_classes(self, x)


class StoredWrapper(Wrapper):
    """A wrapper that can be saved (see `saving`)."""

    def state(self) -> State:
        """Return what was learnt, for `saving`."""
        values, arrays = nest_state("learner", self.learner_.state())
        return values | {"classes": self.classes_.tolist()}, arrays

    def restore(self, values: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Restore what `state` returned."""
        self.classes_ = as_names(values["classes"])
        self.learner_ = self._unfitted()
        self.learner_.restore(*inner_state("learner", values, arrays))

    def _unfitted(self) -> Any:
        """Return an unfitted copy of the learner that makes the predictions."""
        return fresh(self.learner)
