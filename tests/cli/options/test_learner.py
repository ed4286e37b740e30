import pytest

from quorate.cli.options.learner import Choice, LearnerOptions, RecipeOptions, parse_options
from quorate.errors import MethodError


def test_only_what_was_typed_is_in_the_recipe() -> None:
    choice = Choice.typed(LearnerOptions(head="crowd_layer"), RecipeOptions(lr=0.1, patience=2), seed=0)
    assert choice.recipe == {"lr": 0.1, "patience": 2}
    assert choice.network_parts == ["head", "recipe"]
    assert choice.stops_early


def test_options_go_by_their_part() -> None:
    assert parse_options(["score.margin=psi1"], also=("score",)) == {"score": {"margin": "psi1"}}
    with pytest.raises(MethodError, match="--option knows no part 'score'"):
        parse_options(["score.margin=psi1"])
    with pytest.raises(MethodError, match=r"such as linear\.l2=0\.1, got 'l2=0\.1'"):
        parse_options(["l2=0.1"])
