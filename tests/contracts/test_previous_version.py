"""Learners that Quorate 0.1.0 saved are loaded by this version."""

from pathlib import Path

import numpy as np
import pytest

from quorate.learning.saving import load, save
from tests.previous_version import FOLDER, content


@pytest.mark.parametrize("name", sorted(path.name for path in (FOLDER / "models").iterdir()))
def test_a_saved_learner_predicts_as_it_did(name: str, tmp_path: Path) -> None:
    previous = content("predictions.json")
    x, expected = np.array(previous["x"], dtype=np.float32), previous["predictions"][name]
    learner = load(FOLDER / "models" / name)
    np.testing.assert_allclose(learner.predict_proba(x), expected, atol=1e-6)
    save(learner, tmp_path / "again")
    np.testing.assert_array_equal(load(tmp_path / "again").predict_proba(x), learner.predict_proba(x))
    assert "quorate." not in (tmp_path / "again" / "model.json").read_text(encoding="utf-8")
