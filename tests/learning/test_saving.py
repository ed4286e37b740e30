"""Saved and loaded models predict the same; a damaged, foreign or hostile file is refused in one line."""

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quorate
from quorate import Votes, aggregate, registry
from quorate.aggregation.majority import Majority
from quorate.aggregation.one_coin import OneCoin
from quorate.data.posterior import Posterior
from quorate.errors import FileError, MethodError, QuorateError
from quorate.learning.bases.linear import Linear as LinearBase
from quorate.learning.bases.mlp import Mlp
from quorate.learning.heads.crowd_layer import CrowdLayer
from quorate.learning.learners.ensemble import Ensemble
from quorate.learning.learners.joint_em import JointEm
from quorate.learning.learners.linear import Linear
from quorate.learning.learners.network import Network
from quorate.learning.learners.search import Search
from quorate.learning.learners.self_training import SelfTraining
from quorate.learning.losses.focal import Focal
from quorate.learning.saving import ARRAYS, SETTINGS, load, read_about, save
from quorate.learning.steps.sam import Sam
from quorate.learning.targets.smoothed import Smoothed
from quorate.learning.training.recipe import Recipe
from quorate.learning.training.schedules import Steps
from tests.learning.bases.test_transformer import make_bert
from tests.learning.tiny import tiny

X = np.random.default_rng(0).normal(size=(12, 3)).astype(np.float32)
QUICK = Recipe(epochs=2, batch_size=4)


def some_votes() -> Votes:
    labels = np.where(X[:, :1] + np.random.default_rng(1).normal(size=(12, 4)) / 2 > 0, "yes", "no").astype(object)
    labels[0, 1:] = None
    return Votes.from_matrix(labels)


def fitted(learner: Any) -> Any:
    votes = some_votes()
    return learner.fit(X, votes, aggregate(votes))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save(fitted(Linear()), tmp_path / "model")
    return tmp_path / "model"


def learners() -> list[Any]:
    heads = [
        Network(head=registry.method("learning.heads", name), recipe=QUICK) for name in registry.names("learning.heads")
    ]
    rich = Network(
        base=Mlp(sizes=(4, 3), dropout=0.5, batch_norm=True),
        head=CrowdLayer(weights="VW+B", shrink=0.5),
        target=Smoothed(alpha=0.2),
        loss=Focal(gamma=1.0),
        recipe=Recipe(epochs=2, schedule=Steps(at=(1,)), step=Sam(rho=0.1), mixup=0.2),
        seed=3,
    )
    wrapped = [
        JointEm(rounds=1, folds=2),
        JointEm(rounds=1, folds=2, last=Network(recipe=QUICK)),
        JointEm(learner=Network(base=Mlp(sizes=(4,)), recipe=QUICK), aggregator=OneCoin(), rounds=1, folds=2),
        SelfTraining(learner=Network(head=CrowdLayer(), recipe=QUICK), rounds=1, amount=3, roll_back=False),
        Ensemble(learner=Network(base=LinearBase(), recipe=QUICK), members=2),
    ]
    alone = [Linear(), Linear(target=Smoothed(), l2=0.5, scale="ranks"), rich]
    return [*alone, Network(base=LinearBase()), *heads, *wrapped]


@pytest.mark.parametrize("learner", learners(), ids=repr)
def test_predicts_as_before_bit_for_bit(learner: Any, tmp_path: Path) -> None:
    before = fitted(learner)
    save(before, tmp_path / "model")
    after = load(tmp_path / "model")
    assert np.array_equal(after.predict_proba(X), before.predict_proba(X))
    assert repr(after) == repr(before)  # every option, of every part
    assert after.classes_.tolist() == ["no", "yes"]
    if hasattr(before, "predict_votes"):
        assert after.workers_.tolist() == [0, 1, 2, 3]
    if hasattr(before, "layers_"):
        assert after.history_.losses == before.history_.losses
        if hasattr(before.layers_.head, "vote_log_probs"):
            assert np.array_equal(after.predict_votes(X), before.predict_votes(X))


IMAGES = np.random.default_rng(2).random((12, 1, 8, 8)).astype(np.float32)
TEXTS = [f"this is text {row % 5}, which seems {'good' if row % 2 else 'bad'}" for row in range(12)]
SEEN: dict[str, Any] = {
    "char_cnn": list(zip(TEXTS, TEXTS[::-1], strict=True)),
    "char_word_rnn": [(text, row % 4) for row, text in enumerate(TEXTS)],
    "linear": X,
    "lstm": TEXTS,
    "mlp": X,
    "resnet": IMAGES,
    "small_cnn": IMAGES,
    "text_and_features": (TEXTS, X),
    "tf_idf": TEXTS,
    "transformer": TEXTS,
    "wide_resnet": IMAGES,
}


@pytest.mark.parametrize("name", registry.names("learning.bases"))
def test_every_base_is_saved(name: str, tmp_path: Path) -> None:
    x, votes = SEEN[name], some_votes()
    options: list[dict[str, str]] = [{}]
    if name == "transformer":
        folder = make_bert(tmp_path, seed=0)
        options = [{"folder": folder, "train": train} for train in ("none", "last", "all")]
    for chosen in options:
        learner = Network(base=registry.method("learning.bases", name, **chosen), recipe=Recipe(epochs=1, batch_size=6))
        before = learner.fit(x, votes, aggregate(votes)).predict_proba(x)
        save(learner, tmp_path / "model")
        assert np.array_equal(load(tmp_path / "model").predict_proba(x), before)


def test_a_model_brings_no_path_to_write_to(tmp_path: Path) -> None:
    learner = Network(recipe=Recipe(epochs=1, checkpoint=str(tmp_path / "so_far")))
    save(fitted(learner), tmp_path / "model")
    assert "so_far" not in (tmp_path / "model" / SETTINGS).read_text()
    content = json.loads((tmp_path / "model" / SETTINGS).read_text())
    content["learner"]["recipe"]["checkpoint"] = "/etc/passwd"
    change(tmp_path / "model", **content)
    assert load(tmp_path / "model").recipe.checkpoint == ""


def test_names_keep_their_types(tmp_path: Path) -> None:
    for classes, dtype in (([3, 7], np.int64), (["3", "7"], np.dtypes.StringDType())):
        votes = Votes.from_matrix([["3", "7"], ["7", "7"]] if dtype != np.int64 else [[3, 7], [7, 7]])
        save(Linear().fit([[0.0], [1.0]], votes, aggregate(votes)), tmp_path / "model")
        loaded = load(tmp_path / "model")
        assert loaded.classes_.tolist() == classes
        assert loaded.classes_.dtype == dtype


def test_loading_disturbs_no_random_numbers(tmp_path: Path) -> None:
    import torch

    save(fitted(Network(recipe=QUICK)), tmp_path / "model")
    before = torch.get_rng_state()
    load(tmp_path / "model")
    assert torch.equal(before, torch.get_rng_state())


def test_the_settings_can_be_read_by_people(folder: Path) -> None:
    content = json.loads((folder / SETTINGS).read_text())
    assert content["learner"]["kind"] == "learner/linear"
    assert content["learner"]["target"] == {"kind": "target/soft"}
    assert content["fitted"]["classes"] == ["no", "yes"]
    assert content["fitted"]["known"]["n_inputs"] == 3


def test_about_is_saved_with_the_model(folder: Path, tmp_path: Path) -> None:
    assert read_about(folder) == {"quorate": quorate.__version__}
    save(fitted(Linear()), tmp_path / "named", about={"columns": ["a", "b"]})
    assert read_about(tmp_path / "named")["columns"] == ["a", "b"]
    for odd in ({"columns": 3}, {"columns": [3]}, 5):
        change(folder, about=odd)
        with pytest.raises(FileError, match=r"not a list of names|not a model of Quorate"):
            read_about(folder)
    content = json.loads((folder / SETTINGS).read_text())
    del content["about"]
    (folder / SETTINGS).write_text(json.dumps(content))
    assert read_about(folder) == {}


def test_long_lists_of_numbers_are_moved_to_the_arrays(tmp_path: Path) -> None:
    wide = np.random.default_rng(0).normal(size=(12, 40))
    votes = some_votes()
    for scale in ("standard", "ranks"):
        before = Linear(scale=scale).fit(wide, votes, aggregate(votes))
        save(before, tmp_path / "model")
        assert (tmp_path / "model" / SETTINGS).stat().st_size < 1000
        after = load(tmp_path / "model")
        assert after.input_spec_ == before.input_spec_
        assert np.array_equal(after.predict_proba(wide), before.predict_proba(wide))


def test_only_a_model_is_replaced(folder: Path, tmp_path: Path) -> None:
    save(fitted(Linear(l2=3.0)), folder)
    assert load(folder).l2 == 3.0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model"]
    (folder / "thesis.doc").write_text("keep me")
    with pytest.raises(FileError, match="holds something else"):
        save(fitted(Linear()), folder)
    assert (folder / "thesis.doc").read_text() == "keep me"
    with pytest.raises(FileError, match="there is no folder"):
        save(fitted(Linear()), tmp_path / "none" / "model")


def test_an_error_while_writing_leaves_the_old_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(FileError, match="cannot be written: No space left"):
        save(fitted(Linear(l2=3.0)), folder)
    assert load(folder).l2 == 0.01


def test_learners_that_cannot_be_saved_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MethodError, match="has learnt nothing yet: fit it"):
        save(Linear(), tmp_path / "model")
    with pytest.raises(MethodError, match="cannot be saved"):
        save(object(), tmp_path / "model")  # type: ignore[arg-type]
    for outer in (Ensemble(learner=JointEm()), JointEm()):
        with pytest.raises(MethodError, match=f"this {type(outer).__name__} has learnt nothing yet: fit it"):
            save(outer, tmp_path / "model")
    search = Search(learner=Linear(), options={"l2": [0.1, 0.2]})
    for outer in (JointEm(learner=search, rounds=1, folds=2), Ensemble(learner=search, members=2)):
        with pytest.raises(MethodError, match=f"the Search in this {type(outer).__name__} cannot be saved: use a"):
            save(fitted(outer), tmp_path / "model")
    odd = fitted(Linear())
    odd.target = lambda: None
    with pytest.raises(MethodError, match="option of type function cannot be saved"):
        save(odd, tmp_path / "model")
    assert not list(tmp_path.iterdir())


def change(folder: Path, **changes: Any) -> None:
    content = json.loads((folder / SETTINGS).read_text())
    (folder / SETTINGS).write_text(json.dumps(content | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 3}, "it has format 3, but this Quorate reads up to 2: update Quorate"),
        ({"format": "x"}, "not one that Quorate has written"),
        ({"learner": {"kind": "os.system", "command": "touch x"}}, "not a part of models"),
        ({"learner": {"kind": "subprocess.Popen", "args": ["touch", "x"]}}, "not a part of models"),
        ({"learner": {"kind": "quorate.learning._train.History"}}, "not a part of models"),
        ({"learner": {"kind": "quorate.learning.network.torch.load"}}, "not a part of models"),
        ({"learner": {"kind": "quorate.learning.network.Layers"}}, "not a part of models"),
        ({"learner": {"kind": "quorate.learning.linear.Soft"}}, "not a part of models"),
        ({"learner": {"kind": "quorate.learning.linear.__builtins__"}}, "not a part of models"),
        ({"learner": {"kind": "quorate.learning.nothing.Nothing"}}, "not a part of models"),
        ({"learner": {"kind": "quorate.learning.../../x.Y"}}, "not a part of models"),
        ({"learner": {"kind": "fusion/product"}}, "not a part of models"),
        ({"learner": {"kind": "learner/linear.torch"}}, "not a part of models"),
        ({"learner": {"kind": "learner/../linear"}}, "not a part of models"),
        ({"learner": {"kind": 3}}, "not a model of Quorate"),
        ({"learner": {"kind": "quorate.learning.linear.Linear", "l2": "much"}}, "l2 must be a number"),
        ({"learner": {"kind": "quorate.learning.linear.Linear", "nothing": 1}}, "not a model of Quorate"),
        ({"learner": {"kind": "quorate.learning.linear.Linear", "l2": -1}}, "l2 must be zero or more"),
        ({"learner": {"kind": "quorate.aggregation.majority.Majority"}}, "not a learner that can be loaded"),
        ({"learner": 5}, "not a learner that can be loaded"),
        ({"fitted": {}}, "do not fit"),
        ({"fitted": {"classes": ["a", "b", "c"]}}, "do not fit"),
    ],
)
def test_a_hostile_or_foreign_file_is_refused(folder: Path, changes: Any, message: str) -> None:
    change(folder, **changes)
    with pytest.raises(QuorateError, match=message) as error:
        load(folder)
    assert "\n" not in str(error.value)
    assert not (folder / "x").exists()


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_refused(tmp_path: Path, odd: float) -> None:
    from safetensors.numpy import load_file, save_file

    for learner in (Linear(), Network(base=Mlp(sizes=(4,)), recipe=QUICK)):
        save(fitted(learner), tmp_path / "model")
        arrays = load_file(tmp_path / "model" / ARRAYS)
        for name in arrays:
            changed = {other: array.copy() for other, array in arrays.items()}
            if changed[name].dtype.kind == "f":
                changed[name].flat[0] = odd
                save_file(changed, tmp_path / "model" / ARRAYS)
                with pytest.raises(FileError, match="weights are damaged, some are not finite: copy it again"):
                    load(tmp_path / "model")
    learnt = fitted(Linear())
    learnt.weights_[:] = odd
    with pytest.raises(MethodError, match="is not finite: lower the learning rate"):
        save(learnt, tmp_path / "other")


def test_a_network_with_other_arrays_is_refused(tmp_path: Path) -> None:
    save(fitted(Network(base=Mlp(sizes=(4,)), recipe=QUICK)), tmp_path / "model")
    for sizes in ([5], [10**10], [10**14], [10**30], []):
        content = json.loads((tmp_path / "model" / SETTINGS).read_text())
        content["learner"]["base"]["sizes"] = sizes
        (tmp_path / "model" / SETTINGS).write_text(json.dumps(content))
        with pytest.raises(FileError, match=r"do not fit|sizes must list"):
            load(tmp_path / "model")


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (3_000_000, "should have 3000000 members, but has 2"),
        (10**30, "but has 2"),
        (1, "should have 1 members"),
    ],
)
def test_an_ensemble_with_other_members_is_refused_before_any_is_made(
    tmp_path: Path, members: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(fitted(Ensemble(learner=JointEm(rounds=1, folds=2), members=2)), tmp_path / "model")
    content = json.loads((tmp_path / "model" / SETTINGS).read_text())
    content["learner"]["members"] = members
    (tmp_path / "model" / SETTINGS).write_text(json.dumps(content))
    monkeypatch.setattr("quorate.learning.learners.ensemble.fresh", None)
    with pytest.raises(FileError, match=message):
        load(tmp_path / "model")


def test_the_members_of_an_ensemble_are_numbered(tmp_path: Path) -> None:
    save(fitted(Ensemble(learner=JointEm(rounds=1, folds=2), members=2)), tmp_path / "model")
    whole = json.loads((tmp_path / "model" / SETTINGS).read_text())
    renamed = {name.replace("member1", "member7"): value for name, value in whole["fitted"].items()}
    without = {name: value for name, value in whole["fitted"].items() if name != "member1"}
    for learner, values in ((whole["learner"], renamed), (whole["learner"] | {"members": 1}, without)):
        (tmp_path / "model" / SETTINGS).write_text(json.dumps({"format": 1, "learner": learner, "fitted": values}))
        with pytest.raises(FileError, match="not numbered from 0 on"):
            load(tmp_path / "model")


@pytest.mark.parametrize("name", [SETTINGS, ARRAYS])
def test_a_truncated_file_is_refused_in_one_line(folder: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    for length in range(0, len(whole) - 1, max(len(whole) // 60, 1)):
        (folder / name).write_bytes(whole[:length])
        with pytest.raises(QuorateError) as error:
            load(folder)
        assert re.fullmatch(rf"{re.escape(name)}: .+", str(error.value))


def test_changed_bytes_raise_no_other_error(folder: Path) -> None:
    random = np.random.default_rng(0)
    for name in (SETTINGS, ARRAYS):
        whole = (folder / name).read_bytes()
        for _ in range(100):
            changed = bytearray(whole)
            changed[random.integers(len(whole))] = random.integers(256)
            (folder / name).write_bytes(bytes(changed))
            with suppress(QuorateError):  # or nothing: a changed number is still a number
                load(folder)
        (folder / name).write_bytes(whole)


def test_a_missing_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no model"):
        load(tmp_path / "nothing")
    save(fitted(Linear()), tmp_path / "model")
    (tmp_path / "model" / ARRAYS).unlink()
    with pytest.raises(FileError, match="no such file"):
        load(tmp_path / "model")


def test_linear_is_saved_and_loaded_without_torch(folder: Path) -> None:
    code = (
        "import sys; sys.modules['torch'] = None; from quorate.learning.saving import load, save; "
        f"model = load({str(folder)!r}); save(model, {str(folder)!r}); "
        "print(model.predict_proba([[0.0, 0.0, 0.0]]).shape)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True, env=dict(os.environ)).strip() == "(1, 2)"


def test_loading_a_network_without_torch_names_the_extra(tmp_path: Path) -> None:
    save(fitted(Network(recipe=QUICK)), tmp_path / "model")
    code = (
        "import sys; sys.modules['torch'] = None; from quorate.learning.saving import load\n"
        f"try: load({str(tmp_path / 'model')!r})\nexcept Exception as error: print(type(error).__name__, error)"
    )
    output = subprocess.check_output([sys.executable, "-c", code], text=True, env=dict(os.environ))
    assert "pip install 'quorate[deep]'" in output


def test_an_aggregator_is_an_option_like_any_other() -> None:
    from quorate.learning.saving import _build, _describe

    assert _build(_describe(Majority())) == Majority()


@pytest.mark.parametrize("aggregator", ["dawid_skene", "one_coin", "majority"])
def test_the_consensus_is_kept_with_joint_em(aggregator: str, tmp_path: Path) -> None:
    x, votes, posterior = tiny()
    joint = JointEm(rounds=1, folds=2, aggregator=aggregator).fit(x, votes, posterior)
    save(joint, tmp_path / "model")
    kept: Posterior = load(tmp_path / "model").posterior_
    before = joint.posterior_
    for name in ("probs", "tasks", "workers", "classes", "class_prior", "objective"):
        assert np.array_equal(getattr(kept, name), getattr(before, name)), name
    assert type(kept.worker_model) is type(before.worker_model)
    if before.worker_model is not None:
        expected = before.worker_model.log_likelihood([0, -1], [1, 2])
        assert kept.worker_model is not None
        assert np.array_equal(kept.worker_model.log_likelihood([0, -1], [1, 2]), expected)


def test_a_consensus_of_other_tasks_is_refused(tmp_path: Path) -> None:
    x, votes, posterior = tiny()
    save(JointEm(rounds=1, folds=2).fit(x, votes, posterior), tmp_path / "model")
    settings = tmp_path / "model" / "model.json"
    content = json.loads(settings.read_text())
    content["fitted"]["posterior"]["tasks"].pop()
    settings.write_text(json.dumps(content))
    with pytest.raises(FileError, match=r"the arrays do not fit model.json"):
        load(tmp_path / "model")
