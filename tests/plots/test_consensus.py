from quorate import Votes, aggregate, plots, simulate_votes


def test_overview_names_the_workers_to_look_at() -> None:
    votes = simulate_votes(n_tasks=200, workers={"reliable": 6, "adversary": 2}, seed=1).votes
    figure = plots.overview(votes, aggregate(votes))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["Tasks by class", "Confidence of the consensus", "Workers"]
    assert {text.get_text() for text in figure.axes[2].texts} >= {"adversary006", "adversary007"}


def test_overview_without_a_model_of_workers_says_so() -> None:
    votes = Votes.from_matrix([[0, 1], [1, 1]])
    figure = plots.overview(votes, aggregate(votes, "majority"))
    assert "does not model workers" in figure.axes[2].texts[0].get_text()


def test_names_with_special_characters() -> None:
    """Draw a name with dollar signs, a character that the font lacks, and no named worker."""
    votes = Votes.from_counts([[3, 1], [1, 4]], classes=["$\\frac{$", "\U0001f98a"])
    figure = plots.overview(votes, aggregate(votes))
    assert plots.image(figure, "png").startswith(b"\x89PNG")
    assert b"<svg" in plots.image(figure, "svg")
    assert "all votes are anonymous" in figure.axes[2].texts[0].get_text()
