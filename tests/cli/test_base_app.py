from tests.cli.running import Run


def test_version_and_help(run: Run) -> None:
    assert run("--version").out.startswith("quorate 0.")
    votes = ("aggregate", "compare", "workers", "agreement", "simulate votes", "convert")
    for command in ("", *votes, "train", "predict", "methods"):
        outcome = run(f"{command} --help".strip())
        assert outcome.code == 0
        assert "Usage: quorate" in outcome.out
        assert not command or "Examples:" in outcome.out
