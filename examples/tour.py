"""A tour of the command line: simulate votes, aggregate them, and find good and bad workers.

    python examples/tour.py --folder demo

`make tour` runs this. All output comes from the printed commands: try them on your own file of votes.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text


def run(command: str) -> None:
    """Show a command and run it."""
    Console().print(Text(f"\n$ quorate {command}", style="bold cyan"), soft_wrap=True)
    subprocess.run([sys.executable, "-m", "quorate", *command.split()], check=True)


def main() -> None:
    """Simulate votes, measure agreement, aggregate, plot, rate the workers and compare methods."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("demo"), help="folder for the files")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    votes, gold = folder / "votes.csv", folder / "gold.csv"
    run(f"simulate votes --out {votes} --gold-out {gold} --classes cat,dog,fox --seed 7")
    run(f"agreement {votes}")
    run(f"aggregate {votes} --out {folder / 'labels.csv'} --plot {folder / 'consensus.png'}")
    run(f"workers {votes} --top 12")
    run(f"compare {votes} --gold {gold}")
    print("These simulated workers confuse all classes equally, which suits one_coin, with one parameter per worker.")
    print("On 19 real sets ebcc, mace and dawid_skene do best; run `quorate compare` on yours.")


if __name__ == "__main__":
    main()
