"""Tables of the page `trust`, from the last full run of benchmarks/trust/consensus.py."""

from benchmarks.tables import Figures, figures, table

WAYS = {
    "`aggregate(votes)`, the default": "the default, no gold",
    "`dawid_skene` with the discount": "dawid_skene, no gold",
    '`dawid_skene`, `probabilities="model"`': "dawid_skene, probabilities of the model, no gold",
    "shares of votes (`naive_soft`)": "vote shares, no gold",
    "crowd-kit 1.4 DawidSkene": "crowd-kit DawidSkene, no gold",
    "crowd-kit 1.4 OneCoinDawidSkene": "crowd-kit OneCoinDawidSkene, no gold",
    "the default with 50 gold labels": "the default, 50 gold",
    '`dawid_skene` with 50 gold labels, `probabilities="model"`': "dawid_skene, probabilities of the model, 50 gold",
}


def tables() -> dict[str, str]:
    """Return the tables by name, as the pages name them (see docs/write_tables.py)."""
    values = figures("trust/consensus")
    return {"calibration of the consensus": scores_table(values), "constant of the discount": constants_table(values)}


def scores_table(values: Figures) -> str:
    """Return a row for every way to aggregate, with its scores."""
    scores = ("accuracy", "ECE", "log-loss")
    rows = [[title, *(f"{values[f'{way}: {score}']:.3f}" for score in scores)] for title, way in WAYS.items()]
    return table(["", *scores], rows)


def constants_table(values: Figures) -> str:
    """Return the ECE of dawid_skene for every constant of the discount."""
    title, end = "dawid_skene, n votes count as ", " sqrt(n): ECE"
    found = {name.removeprefix(title).removesuffix(end): value for name, value in values.items() if title in name}
    return table(
        ["n votes count as", *(f"{constant} √n" for constant in found)],
        [["ECE of dawid_skene", *(f"{value:.3f}" for value in found.values())]],
    )
