import pytest

from quorate.cli.options.build_learner import make_learner, make_method
from quorate.cli.options.learner import Choice, LearnerOptions, RecipeOptions
from quorate.errors import MethodError
from quorate.learning import Calibrated, JointEm, Linear


def choice(recipe: RecipeOptions | None = None, **options: object) -> Choice:
    return Choice.typed(LearnerOptions(**options), recipe or RecipeOptions(), seed=3)  # type: ignore[arg-type]


def test_without_options_it_is_softmax_regression() -> None:
    assert isinstance(make_learner(choice()), Linear)
    assert isinstance(make_learner(choice(calibrator="temperature")), Calibrated)


def test_a_part_of_a_network_makes_it_one() -> None:
    network = make_learner(choice(RecipeOptions(epochs=3, schedule="cosine"), base="mlp", option=["base.sizes=4"]))
    assert (network.recipe.epochs, network.base.sizes, network.seed) == (3, (4,), 3)


def test_joint_em_aggregates_by_the_method_that_is_named() -> None:
    joint = make_learner(choice(learner="joint_em", method="glad", option=["joint_em.rounds=2"]))
    assert isinstance(joint, JointEm)
    assert (joint.rounds, type(joint.aggregator).__name__) == (2, "Glad")
    assert type(make_method(choice())).__name__ == "DawidSkene"


def test_options_that_would_change_nothing_are_refused() -> None:
    with pytest.raises(MethodError, match="linear has no head"):
        make_learner(choice(learner="linear", head="plain"))
    with pytest.raises(MethodError, match="all members of linear would be the same"):
        make_learner(choice(members=3))
