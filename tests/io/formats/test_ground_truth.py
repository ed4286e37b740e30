import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from quorate import Votes, aggregate, write_posterior, write_votes
from quorate.errors import FileError


def test_ground_truth_manifest(tmp_path: Path) -> None:
    votes = Votes.from_frame(
        pl.DataFrame({"task": ["s3://b/cat.jpg", "hi"], "worker": ["a", "a"], "label": ["cat", "dog"]})
    )
    write_posterior(aggregate(votes, "majority"), tmp_path / "out.manifest")
    image, text = [json.loads(line) for line in (tmp_path / "out.manifest").read_text().splitlines()]
    assert image["source-ref"] == "s3://b/cat.jpg"
    assert (image["label"], image["label-metadata"]["class-name"]) == (0, "cat")
    assert image["label-metadata"]["confidence"] == 1
    assert text["source"] == "hi"
    with pytest.raises(FileError, match="labels, not votes"):
        write_votes(votes, tmp_path / "votes.manifest")


def test_predictions_in_a_manifest_are_not_called_human(tmp_path: Path) -> None:
    posterior = aggregate(Votes.from_matrix([[0, 0], [1, 1]]), "majority")
    for workers, annotated in ((posterior.workers, "yes"), (posterior.workers[:0], "no")):
        write_posterior(replace(posterior, workers=workers), tmp_path / "out.manifest")
        line = json.loads((tmp_path / "out.manifest").read_text().splitlines()[0])
        assert line["label-metadata"]["human-annotated"] == annotated
