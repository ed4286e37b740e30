from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import f1_score

from benchmarks.calibration import texts_tables
from benchmarks.calibration.texts import gain_in_one_cell, gains_by_draw, measure, measures, paper_f1, resampled
from benchmarks.calibration.texts_fits import GRID, MAKER, Balanced, Fitted, fit
from benchmarks.calibration.texts_sets import PRINTED, TARGETS, Part, balanced_split
from benchmarks.harness import Figures
from quorate.learning.scoring import valid_score
from quorate.learning.targets.hard import Hard
from quorate.learning.targets.soft import Soft
from quorate.learning.targets.soft_hard import SoftHard

FEW_CELLS = tuple(cell for cell in GRID if cell.class_weights)[:2]
SOFT = np.array([[0.9, 0.1], [0.7, 0.3], [0.8, 0.2], [0.4, 0.6]])


def test_without_the_sets_it_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUORATE_DATA", raising=False)
    with pytest.raises(SystemExit, match="QUORATE_DATA is not set"):
        measure(Figures(), quick=True)


def test_validation_is_drawn_in_balance_and_shares_no_text_with_training() -> None:
    labels = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    texts = ["a", "a", "b", "c", "d", "e", "p", "p", "q", "r"]
    rows = np.arange(9)  # the last is of the test
    train, valid = balanced_split(rows, texts, labels, per_class=2, seed=0)
    assert np.bincount(labels[valid]).tolist() == [2, 2]
    assert not {texts[row] for row in train} & {texts[row] for row in valid}
    assert len({texts[row] for row in valid}) == 4
    assert 9 not in [*train, *valid]


@pytest.mark.parametrize("name", TARGETS)
def test_validation_votes_tell_the_loss_against_targets_of_the_same_kind(name: str) -> None:
    part = Part.of(np.zeros((4, 1)), SOFT)
    probs = np.array([[0.6, 0.4], [0.5, 0.5], [0.9, 0.1], [0.2, 0.8]])
    targets = MAKER[name].make(part.votes, part.posterior)
    loss = -(targets.weight[:, None] * targets.probs * np.log(probs)).sum() / targets.weight.sum()
    assert valid_score(probs, part.as_valid(MAKER[name]), part.posterior, "log_loss") == pytest.approx(-loss)


def test_class_weights_multiply_the_terms_by_hand() -> None:
    part = Part.of(np.zeros((4, 1)), SOFT)  # three of the first class, one of the second: weights 2/3 and 2
    hard = Balanced(target=Hard()).make(part.votes, part.posterior)
    assert hard.probs.tolist() == [[1, 0], [1, 0], [1, 0], [0, 1]]
    assert hard.weight == pytest.approx([2 / 3, 2 / 3, 2 / 3, 2])
    soft = Balanced(target=Soft()).make(part.votes, part.posterior)
    np.testing.assert_allclose(soft.weight[:, None] * soft.probs, SOFT * [2 / 3, 2])
    soft_hard = Balanced(target=SoftHard()).make(part.votes, part.posterior)
    assert soft_hard.weight == pytest.approx([0.9 * 2 / 3, 0.7 * 2 / 3, 0.8 * 2 / 3, 0.6 * 2])


def test_measures_are_those_of_the_paper() -> None:
    two, three = np.random.default_rng(0).dirichlet([1, 1], 50), np.random.default_rng(1).dirichlet([1, 1, 1], 50)
    gold = np.random.default_rng(2).integers(2, size=50)
    assert paper_f1(two, gold) == pytest.approx(f1_score(gold, two.argmax(axis=1)))
    assert paper_f1(three, gold) == pytest.approx(f1_score(gold, three.argmax(axis=1), average="macro"))
    sure = np.array([[0.2, 0.8], [0.2, 0.8]])  # by the sigmoid 2/3, and right
    assert measures(sure, np.array([1, 1])) == pytest.approx([100, 100 / 3, 20])


def test_targets_are_compared_on_the_same_draws() -> None:
    probs = np.random.default_rng(0).dirichlet([1, 1], 40)
    gold = np.random.default_rng(1).integers(2, size=40)
    drawn = resampled([[probs], [probs, probs]], gold, times=5)
    assert drawn.shape == (5, 2, 3)
    np.testing.assert_array_equal(drawn[:, 0], drawn[:, 1])
    assert np.std(drawn[:, 0, 0]) > 0


def test_differences_to_hard_labels_by_draw_and_in_one_cell_by_hand() -> None:
    one, other = FEW_CELLS
    probs = {one: np.array([[0.2, 0.8]]), other: np.array([[0.0, 1.0]])}  # ECE 20 and 0
    hard, sure = (Fitted(cell, probs, np.array([1]), 0.0) for cell in (one, other))
    fits = {(name, target): [hard if target == "hard" else sure] for name, target in product(PRINTED, TARGETS)}
    fits["corporate", "hard"], fits["corporate", "soft"] = [hard, hard], [sure, hard]  # no difference in draw two
    np.testing.assert_allclose(gains_by_draw(fits, "soft")[:, 2], [-20, -20 * 7 / 8])
    assert gain_in_one_cell([sure], [hard]).tolist() == [0, 0, 0]


def test_the_paper_s_own_rows_average_as_known() -> None:
    """On the eight sets soft-hard is 2.0 points better than hard labels, soft .2."""
    ece = np.array([printed.ece for printed in PRINTED.values()]).mean(axis=0)
    assert ece[4] - ece[0] == pytest.approx(-2.0, abs=0.05)
    assert ece[1] - ece[0] == pytest.approx(-0.2, abs=0.05)


def test_tables_have_a_row_for_each_figure() -> None:
    measured = {"f1": 80.0, "ece_sigmoid": 9.0, "ece_softmax": 5.0}
    errors = {f"{name}_error": 1.0 for name in measured}
    texts = {"texts": "disaster", "target": "hard", "n_test": 684, "macro_f1": 81.0, "same_split": True}
    mean: dict[str, Any] = {
        "target_mean": "soft_hard",
        "measure": "ece_sigmoid",
        "error": 0.5,
        "in_one_cell": -1,
        "lower": 7,
        "of": 8,
    }
    mean |= {"by_draw": [-2.0, -1.25]}
    adam = {"adam_texts": "disaster", "target": "hard", "seconds": 0.3, "adam_seconds": 8.0}
    rows = [
        {"name": "another", "value": 1.0},
        {"value": 9.0, "details": texts | measured | errors | {"paper_f1": 82.4, "paper_ece": 9.8}},
        {"value": -1.6, "details": mean | {"paper": -2.0}},
        {"value": 99.3, "details": adam | measured | {f"adam_{name}": value for name, value in measured.items()}},
    ]
    tables = vars(texts_tables)
    shown = {name: tables[name](rows).replace("\u00a0", " ").splitlines()[2:] for name in tables if "_table" in name}
    assert shown["sets_table"] == [
        "| **disaster** | 684 | hard | 80.0 ± 1.0 | 82.4 | 81.0 | 9.0 ± 1.0 | 9.8 | 5.0 ± 1.0 |"
    ]
    assert shown["means_table"] == [
        "| soft_hard | ECE, sigmoid as in the paper | -1.6 ± 0.5 | -2.0, -1.2 | -1.0 | 7 of 8 | -2.0 |"
    ]
    assert shown["adam_table"] == ["| disaster | hard | 99.3% | 80.0, 80.0 | 9.0, 9.0 | 0.3, 8.0 |"]


@pytest.mark.needs_data
def test_soft_hard_targets_are_better_calibrated_than_hard_ones_on_real_sentences() -> None:
    hard, soft_hard = (fit("chem_disease", target, 0, FEW_CELLS) for target in ("hard", "soft_hard"))
    before, after = (measures(fitted.chosen, fitted.gold) for fitted in (hard, soft_hard))
    assert after[1] < before[1]
    assert before[0] > 65
