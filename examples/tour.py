"""The command line in one go: a crowd votes, Quorate finds the consensus and tells the good workers from the bad.

    python examples/tour.py --folder demo

`make tour` runs this. Everything shown is made by the commands that are printed: try them on your own file of votes.
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
    """Simulate votes, compare methods, aggregate, judge the workers, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("demo"), help="where the files go")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    votes, gold = folder / "votes.csv", folder / "gold.csv"
    run(f"simulate votes --out {votes} --gold-out {gold} --classes cat,dog,fox --seed 7")
    run(f"agreement {votes}")
    run(f"aggregate {votes} --out {folder / 'labels.csv'} --plot {folder / 'consensus.png'}")
    run(f"workers {votes} --top 12")
    run(f"compare {votes} --gold {gold}")
    print("These made-up workers err evenly, which suits methods with one number per worker, such as one_coin.")
    print("Over 19 real vote sets ebcc, mace and dawid_skene do best; on yours, compare tells.")


if __name__ == "__main__":
    main()
