"""`quorate train`: files in, a model, a report and predictions out; errors come before the work."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from quorate.cli.commands.train import EXAMPLES
from quorate.learning.saving import load
from tests.cli.commands.items import TRUE, X
from tests.cli.running import Run

QUICK = "--base mlp --epochs 2 --option base.sizes=4"


@pytest.fixture
def run(call: Run, item_files: None) -> Run:
    return call


def scores(out: str) -> dict[str, dict[str, Any]]:
    rows = json.loads(out)
    return {row.pop("score"): row for row in rows}


class TestReport:
    def test_is_short_and_tells_items_in_training_from_others(self, run: Run) -> None:
        code, out, err = run("train items.csv votes.csv --out model --gold gold.csv")
        assert (code, err) == (0, "")
        assert out.startswith("Linear: trained on 30 of 40 items with 90 votes of 3 workers (dawid_skene)\n")
        for part in ("in training", "crowd", "not in training", "macro F1", "ECE (calibration)", "Written: model"):
            assert part in out

    def test_for_programs(self, run: Run) -> None:
        measures = scores(run("train items.csv votes.csv --out model --gold gold.csv --format json")[1])
        assert measures["items"] == {"taught": 30, "crowd": 30, "not taught": 10}
        assert measures["accuracy"]["not taught"] > 0.7
        assert measures["votes"]["taught"] == 90
        assert measures["votes_cross_entropy"]["not taught"] is None

    def test_without_gold_votes_are_all_there_is(self, run: Run) -> None:
        measures = scores(run("train items.csv votes.csv --out model --hold-out 0.2 --format json")[1])
        assert set(measures) == {"votes", "votes_cross_entropy", "votes_through_workers"}
        assert measures["votes"] == {"taught": 72, "held out": 18}

    def test_validation_items_are_not_taught(self, run: Run) -> None:
        measures = scores(
            run("train items.csv votes.csv --out model --valid valid.csv --gold gold.csv --format json")[1]
        )
        assert measures["items"] == {"taught": 20, "crowd": 20, "valid": 10, "not taught": 10}
        alone = scores(run("train items.csv votes.csv --out model --valid valid.csv --format json")[1])
        assert alone["accuracy"]["valid"] == measures["accuracy"]["valid"]

    @pytest.mark.parametrize("width", ["60", "80", "120"])
    def test_fits_the_terminal(self, run: Run, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
        monkeypatch.setenv("COLUMNS", width)
        out = run(f"train items.csv votes.csv --out model --valid valid.csv --gold gold.csv {QUICK}")[1]
        table = out.splitlines()[1:-3]
        assert max(len(line.rstrip()) for line in table) <= int(width)
        assert "…" not in out

    def test_one_of_each_and_a_loss_without_end(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "one.csv").write_text("task,worker,label\nt00,x,no\n")
        out = run(f"train items.csv one.csv --out model --classes no,yes {QUICK} --epochs 1")[1]
        assert out.startswith("Network: trained on 1 of 40 items with 1 vote of 1 worker (dawid_skene); 1 epoch, loss")
        assert "lower --lr" not in out
        diverged = "--base linear --lr 1e9 --epochs 3 --option recipe.optimiser=sgd --option base.scale=none"
        out = run(f"train items.csv votes.csv --out model {diverged}")[1]
        assert "so training has diverged: lower --lr" in out

    def test_tells_how_many_rounds_there_were(self, run: Run) -> None:
        assert "(dawid_skene); 5 rounds\n" in run("train items.csv votes.csv --out model --learner joint_em")[1]
        some = "--option self_training.rounds=1 --option self_training.amount=5 --option self_training.roll_back=no"
        command = f"train items.csv votes.csv --out model --learner self_training {some} {QUICK} --head crowd_layer"
        assert "(dawid_skene); 1 round, 1 kept\n" in run(command)[1]


class TestModel:
    def test_is_what_the_report_is_of(self, run: Run) -> None:
        run("train items.csv votes.csv --out model --predictions p.parquet")
        table = pl.read_parquet("p.parquet")
        assert table.columns == ["task", "label", "confidence", "p_no", "p_yes"]
        assert np.array_equal(table.select("p_no", "p_yes").to_numpy(), load("model").predict_proba(X))

    def test_parts_and_their_options(self, run: Run) -> None:
        command = (
            "train items.csv votes.csv --out model --head crowd_layer --loss focal --step sam "
            "--schedule steps --epochs 2 --batch-size 16 --lr 0.01 --weight-decay 0.1 --mixup 0.2 --balance reweight "
            "--seed 3 --option head.shrink=0.5 --option base.sizes=6,4 --option base.batch_norm=yes "
            "--option schedule.at=1 --option recipe.optimiser=adam --option method.max_rounds=3 --option step.rho=0.1"
        )
        assert run(command)[0] == 0
        model = load("model")
        assert (model.head.shrink, model.base.sizes, model.base.batch_norm, model.seed) == (0.5, (6, 4), True, 3)
        assert (model.recipe.lr, model.recipe.mixup, model.recipe.balance) == (0.01, 0.2, "reweight")
        assert (model.recipe.schedule.at, model.recipe.step.rho, model.recipe.optimiser) == ((1,), 0.1, "adam")
        assert type(model.loss).__name__ == "Focal"
        smoothed = f"train items.csv votes.csv --out model --head multi_task --target smoothed {QUICK}"
        assert run(f"{smoothed} --option target.alpha=0.2")[0] == 0
        assert (type(load("model").target).__name__, load("model").target.alpha) == ("Smoothed", 0.2)

    def test_the_example_of_options_in_the_help_works(self, run: Run) -> None:
        example = EXAMPLES.rpartition("quorate ")[2]
        assert "--option" in example
        code, _, err = run(f"{example.replace('.npz', '.csv')} --epochs 1")
        assert (code, err) == (0, "")
        assert (load("model").head.shrink, load("model").base.sizes) == (0.5, (64,))

    def test_the_best_epoch_is_kept(self, run: Run) -> None:
        out = run(f"train items.csv votes.csv --out model --valid valid.csv --patience 1 {QUICK}")[1]
        assert "; 2 epochs, loss" in out
        assert "kept" in out

    def test_joint_em_and_ensembles(self, run: Run) -> None:
        assert run("train items.csv votes.csv --out model --learner joint_em --option joint_em.rounds=1")[0] == 0
        assert load("model").learner.l2 == 0.02
        joint = "--learner joint_em --option joint_em.rounds=1 --option joint_em.folds=2"
        assert run(f"train items.csv votes.csv --out model {joint} --members 2 {QUICK}")[0] == 0
        assert len(load("model").learner_.members_) == 2

    def test_joint_em_aggregates_by_the_method_that_is_named(self, run: Run) -> None:
        joint = "train items.csv votes.csv --out model --learner joint_em --option joint_em.rounds=1"
        assert "of 3 workers (dawid_skene)" in run(joint)[1]
        assert (type(load("model").aggregator).__name__, load("model").aggregator.strength) == ("DawidSkene", 2.0)
        assert "of 3 workers (one_coin)" in run(f"{joint} --method one_coin --option method.strength=3")[1]
        assert (type(load("model").aggregator).__name__, load("model").aggregator.strength) == ("OneCoin", 3.0)
        assert run(f"{joint} --option method.strength=3")[0] == 0
        assert load("model").aggregator.strength == 3.0
        assert "is set by --method" in run(f"{joint} --option joint_em.aggregator=glad")[2]

    def test_joint_em_writes_the_consensus(self, run: Run) -> None:
        joint = "train items.csv votes.csv --out model --learner joint_em --option joint_em.rounds=1"
        assert "Written: consensus.csv" in run(f"{joint} --consensus consensus.csv --predictions p.csv")[1]
        consensus, predictions = pl.read_csv("consensus.csv"), pl.read_csv("p.csv")
        assert consensus.columns == predictions.columns == ["task", "label", "confidence", "p_no", "p_yes"]
        assert consensus["task"].to_list() == predictions["task"].to_list()
        assert not np.allclose(consensus["p_yes"], predictions["p_yes"])

    def test_self_training(self, run: Run) -> None:
        some = "--option self_training.rounds=1 --option self_training.amount=5 --option self_training.roll_back=no"
        command = f"train items.csv votes.csv --out model --learner self_training {some} {QUICK}"
        assert "Plain has no model of workers: use a head such as CrowdLayer()" in run(f"{command} --head plain")[2]
        assert run(f"{command} --head anno_reg")[0] == 0
        assert type(load("model").learner.head).__name__ == "AnnoReg"
        assert run(f"{command} --seed 7")[0] == 0
        assert load("model").amount == 5
        assert (type(load("model").learner.head).__name__, load("model").learner.seed) == ("CrowdLayer", 7)
        assert run(f"{command} --members 2")[0] == 0
        model = load("model")
        assert (type(model).__name__, [member.amount for member in model.members_]) == ("Ensemble", [5, 5])
        assert [member.seed for member in model.members_] == [0, 1]
        assert "Linear cannot predict votes" in run(f"{command.removesuffix(QUICK)} --option linear.l2=1")[2]

    def test_members_must_differ(self, run: Run) -> None:
        assert "all members of linear would be the same" in run("train items.csv votes.csv --out model --members 2")[2]

    def test_items_of_other_kinds(self, run: Run) -> None:
        np.savez("items.npz", ids=[f"t{row:02d}" for row in range(40)], X=X)
        assert run("train items.npz votes.csv --out model")[0] == 0
        texts = pl.DataFrame({"id": [f"t{row:02d}" for row in range(40)], "says": TRUE.tolist()})
        texts.write_csv("texts.csv")
        command = "train texts.csv votes.csv --out model --base lstm --epochs 1 --columns task=id,text=says"
        assert run(command)[0] == 0  # the votes still call it task
        pl.read_csv("votes.csv").rename({"task": "item"}).write_csv("odd.csv")
        assert "no column 'id' for the task" in run(command.replace("votes.csv", "odd.csv"))[2]
        votes = pl.read_csv("votes.csv").rename({"task": "id"})
        votes.write_csv("named.csv")
        assert run(command.replace("votes.csv", "named.csv"))[0] == 0
        without_base = "train texts.csv named.csv --out model --columns task=id,text=says"
        assert "the items are texts: choose a base that reads them, such as --base tf_idf" in run(without_base)[2]

    def test_images_as_numbers_need_a_base_that_sees_them(self, run: Run) -> None:
        np.savez("images.npz", ids=[f"t{row:02d}" for row in range(40)], X=np.zeros((40, 3, 8, 8), dtype=np.uint8))
        for options in ("", "--head crowd_layer", "--learner joint_em"):
            message = run(f"train images.npz votes.csv --out model {options}")[2]
            assert "the items are images: choose a base that reads them, such as --base small_cnn" in message
        assert run("train images.npz votes.csv --out model --base small_cnn --epochs 1")[0] == 0

    def test_texts_with_more_beside_them(self, run: Run) -> None:
        """Train a base that reads all of it, and predict; others say what to do, and so do models of other items."""
        texts = pl.DataFrame({"task": [f"t{row:02d}" for row in range(40)], "text": [f"say {word}" for word in TRUE]})
        texts.write_csv("texts.csv")
        texts.with_columns(a=X[:, 0]).write_csv("more.csv")
        texts.with_columns(place=1).write_csv("words.csv")
        train = "train {} votes.csv --out model --epochs 1 --base {}"
        both, word = "columns of numbers beside", "column place beside"
        for file, base, lacks in (("more.csv", "text_and_features", both), ("words.csv", "char_word_rnn", word)):
            assert f"such as --base {base}" in run(f"train {file} votes.csv --out model")[2]
            message = f"lstm does not read the {lacks} the text: leave out this part, or use --base {base}"
            assert message in run(train.format(file, "lstm"))[2]
            message = f"{base} needs {lacks} a column text, and the items have none"
            assert message in run(train.format("texts.csv", base))[2]
            assert run(f"{train.format(file, base)} --valid valid.csv --members 2")[0] == 0
            assert run(f"predict model {file}")[0] == 0
            assert message in run("predict model texts.csv")[2]
            assert message in run("predict model items.csv")[2]
        texts.with_columns(a=X[:, 0], b=X[:, 1]).write_csv("more.csv")
        assert run(train.format("more.csv", "text_and_features"))[0] == 0
        pl.read_csv("more.csv").select("b", "task", "a", "text").write_csv("turned.csv")
        outputs = [run(f"predict model {file} --format csv")[1] for file in ("more.csv", "turned.csv")]
        assert outputs[0] == outputs[1] != ""
        assert run(train.format("texts.csv", "lstm"))[0] == 0
        assert "lstm does not read the column place beside the text" in run("predict model words.csv")[2]
        texts.with_columns(where=1).write_csv("words.csv")
        assert run(f"{train.format('words.csv', 'char_word_rnn')} --columns place=where")[0] == 0

    def test_images(self, run: Run, tmp_path: Path) -> None:
        from PIL import Image

        names = [f"t{row:02d}" for row in range(40)]
        for name in names:
            Image.fromarray(np.zeros((9, 7, 3), dtype=np.uint8)).save(tmp_path / f"{name}.png")
        pl.DataFrame({"task": names, "file": [f"{name}.png" for name in names]}).write_csv("images.csv")
        command = "train images.csv votes.csv --out model --base small_cnn --epochs 1 --image-size 8 --members 2"
        assert run(command)[0] == 0
        assert run("predict model images.csv")[0] == 0  # the size is known to the model


class TestErrors:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ("--head crowdlayer", "there is no head 'crowdlayer': did you mean 'crowd_layer'?"),
            ("--learner netwrk", "there is no learner 'netwrk': did you mean 'network'?"),
            ("--schedule cosin", "did you mean 'cosine'?"),
            ("--method majorty", "did you mean 'majority'?"),
            ("--learner linear --head plain", "linear has no head"),
            ("--learner linear --epochs 3", "linear has no recipe"),
            ("--option head.shrink=1", "plain has no option 'shrink'"),
            ("--head crowd_layer --option head.shrink=much", "'shrink' of crowd_layer is a number, such as 1.0"),
            ("--option base.batch_norm=maybe", "is true or false"),
            ("--base mlp --option base.sizes=a,b", "is a tuple of whole numbers, such as (128,), got ('a', 'b')"),
            ("--base mlp --option base.sizes=1.5", "is a tuple of whole numbers"),
            ("--base mlp --option base.sizes=99999999999", "more memory than there is"),
            ("--base mlp --option base.sizes=999999999999999999999999", "is a tuple of whole numbers"),
            ("--base small_cnn --option base.channels=x,y", "is a tuple of whole numbers"),
            ("--learner joint_em --option joint_em.class_prior=a,b", "is a tuple of numbers, got ('a', 'b')"),
            ("--schedule steps --option schedule.at=a", "is a tuple of whole numbers, such as (50, 100)"),
            ("--base tf_idf --option base.ngrams=a", "is a tuple of 2 whole numbers, such as (1, 1)"),
            ("--base tf_idf --option base.ngrams=1", "is a tuple of 2 whole numbers, such as (1, 1)"),
            ("--base tf_idf --option base.most=abc", "is a whole number or none, got 'abc'"),
            ("--learner self_training --option self_training.amount=abc", "is a whole number or none, got 'abc'"),
            ("--head crowd_layer --target hard", "crowd_layer is taught by votes, not by a target: leave out --target"),
            ("--head conal --option target.alpha=1", "soft has no option 'alpha'"),
            ("--patience 3 --epochs 2", "nothing to stop early by: give --valid or --hold-out"),
            ("--epochs 2 --option recipe.patience=3", "nothing to stop early by"),
            ("--members 3", "all members of linear would be the same"),
            ("--members 3 --learner joint_em", "all members of linear would be the same"),
            ("--image-size 8", "the items are features, not files of images: leave out --image-size"),
            ("--consensus c.csv", "--consensus goes with --learner joint_em"),
            ("--learner joint_em --consensus c.xyz", "cannot tell the format"),
            ("--seed 99999999999999999999", "should be less than or equal to 2147483648"),
            ("--option recipe.schedule=cosine", "set it by --schedule"),
            ("--learner joint_em --option joint_em.last=mlp", "set it in Python"),
            ("--option head", "--option takes PART.NAME=VALUE"),
            ("--option l2=0.1", "--option takes PART.NAME=VALUE, such as linear.l2=0.1, got 'l2=0.1'"),
            ("--option shrink=1", "such as head.shrink=1, got"),
            ("--option folds=2", "such as joint_em.folds=2, got"),
            ("--option nose.x=1", "knows no part 'nose'"),
            ("--base mlp --option linear.l2=1", "the learner is network"),
            ("--valid valid.csv --hold-out 0.1", "give one of the two"),
            ("--valid gold.csv", "every vote is on an item of valid (--valid)"),
            ("--predictions p.xyz", "cannot tell the format"),
            ("--base lstm --epochs 1", "x must hold texts"),
            ("--classes yes,maybe", "is not one of --classes yes, maybe"),
        ],
    )
    def test_are_one_line(self, run: Run, options: str, message: str, tmp_path: Path) -> None:
        code, out, err = run(f"train items.csv votes.csv --out model {options}")
        assert (code, out) == (2, "")
        assert message in err
        assert err.count("\n") == 1
        assert not (tmp_path / "model").exists()

    def test_items_that_do_not_fit(self, run: Run, tmp_path: Path) -> None:
        pl.read_csv("items.csv").tail(-1).write_csv("few.csv")
        assert "task 't00' has votes but no item" in run("train few.csv votes.csv --out model")[2]
        (tmp_path / "gap.csv").write_text("task,a\nt00,1\nt01,\n")
        assert "column 'a' is empty (row 2, task 't01')" in run("train gap.csv votes.csv --out model")[2]

    def test_a_folder_with_other_files_is_left_alone(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "thesis.doc").write_text("text")
        assert "the path exists and holds something else" in run("train items.csv votes.csv --out mine")[2]


def test_a_class_that_nobody_voted_for(run: Run) -> None:
    assert run(f"train items.csv votes.csv --out model --classes no,yes,maybe {QUICK} --predictions p.csv")[0] == 0
    assert pl.read_csv("p.csv").columns[-3:] == ["p_no", "p_yes", "p_maybe"]


def without(package: str, command: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.modules[{package!r}] = None; from quorate.cli.app import main; main({command.split()!r})"
    call = [sys.executable, "-c", code]
    return subprocess.run(call, capture_output=True, text=True, check=False, env=dict(os.environ))


def test_without_safetensors_it_is_told_before_the_work(run: Run) -> None:
    run("train items.csv votes.csv --out model")
    for command in ("train items.csv votes.csv --out model", "predict model items.csv"):
        outcome = without("safetensors", command)
        assert outcome.returncode == 2
        assert outcome.stderr == "quorate: saved models need safetensors: pip install 'quorate[learn]'\n"


@pytest.mark.long
def test_linear_needs_no_torch_and_a_network_says_what_to_install(run: Run) -> None:
    assert without("torch", "train items.csv votes.csv --out model").returncode == 0
    assert without("torch", "predict model items.csv").returncode == 0
    outcome = without("torch", "train items.csv votes.csv --out model --head crowd_layer")
    assert outcome.returncode == 2
    assert "is not installed: pip install 'quorate[deep]'" in outcome.stderr
    assert outcome.stderr.count("\n") == 1
    listed = without("torch", "methods")
    assert listed.returncode == 0
    assert "crowd_layer" in listed.stdout


def test_out_of_fold_probabilities_go_on_to_calibrate(run: Run) -> None:
    out = run("train items.csv votes.csv --out model --out-of-fold said.csv --predictions p.csv")[1]
    assert "Written: said.csv" in out
    out_of_fold, taught = pl.read_csv("said.csv"), pl.read_csv("p.csv")
    assert out_of_fold.columns == ["task", "label", "confidence", "p_no", "p_yes"]
    assert out_of_fold["task"].to_list() == taught["task"].to_list()
    assert out_of_fold["p_yes"].to_list() != taught["p_yes"].to_list()
    code, out, err = run("calibrate said.csv votes.csv --apply p.csv --out calibrated.csv")
    assert (code, err) == (0, "")
    assert len(pl.read_csv("calibrated.csv")) == 40


def test_too_few_items_for_out_of_fold_are_told_before_anything_is_written(run: Run, tmp_path: Path) -> None:
    pl.read_csv("votes.csv").filter(pl.col("task").is_in(pl.read_csv("items.csv")["task"].head(3).to_list())).write_csv(
        "few.csv"
    )
    code, _, err = run("train items.csv few.csv --out model --out-of-fold said.csv --classes no,yes")
    assert code == 2
    assert "--out-of-fold needs 5 items with votes at least, and there are" in err
    assert not (tmp_path / "model").exists()


class TestCalibrator:
    def test_tells_whether_it_helped_and_is_saved_with_the_model(self, run: Run) -> None:
        code, out, err = run("train items.csv votes.csv --out model --calibrator map_temperature --predictions p.csv")
        assert (code, err) == (0, "")
        assert "map_temperature " in out
        assert type(load("model")).__name__ == "Calibrated"
        assert run("predict model items.csv --out again.csv")[0] == 0
        assert pl.read_csv("again.csv").equals(pl.read_csv("p.csv"))

    def test_goes_with_any_learner(self, run: Run) -> None:
        command = "train items.csv votes.csv --out model --calibrator temperature"
        assert run(f"{command} {QUICK}")[0] == 0
        assert run(f"{command} --learner joint_em --consensus labels.csv")[0] == 0
        assert len(pl.read_csv("labels.csv")) == 40

    def test_says_what_does_not_go_together(self, run: Run) -> None:
        code, _, err = run("train items.csv votes.csv --out model --calibrator temperature --out-of-fold said.csv")
        assert code == 2
        assert "give one of the two" in err
        assert "there is no calibrator 'temp'" in run("train items.csv votes.csv --out model --calibrator temp")[2]
