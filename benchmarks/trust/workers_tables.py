"""The table of the page `quality`, from the last full run of benchmarks/trust/workers.py."""

from benchmarks import tables as shared
from benchmarks.trust.workers import RANKINGS

NAMES = {
    "consensus_agreement": "`consensus_agreement`",
    "accuracy": "`accuracy` of ensemble",
    "dawid_skene": "`accuracy` of dawid_skene",
}
MEASURES = {
    "Spearman, sets with gold for most tasks": 2,  # digits
    "Spearman, all sets": 2,
    "RMSE, all sets": 3,
}


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    return tables_of(shared.figures("trust/workers"))


def tables_of(values: shared.Figures) -> dict[str, str]:
    """Return the tables of these figures by name."""
    rows = [
        [NAMES[ranking]]
        + [f"{values[f'workers: {measure}: {words}']:.{digits}f}" for measure, digits in MEASURES.items()]
        for ranking, words in RANKINGS.items()
    ]
    covered = values["workers: share of 95% intervals with the true accuracy"]
    return {"ranking of workers": shared.table(["estimate", *MEASURES], rows), "worker intervals": f"{covered:.0%}"}
