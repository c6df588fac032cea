"""Data sets of a few scripted episodes, and the smallest model, for tests of what runs on them."""

from pathlib import Path

from releaseops_mcp.cli.app import run
from releaseops_mcp.episodes.registry import suites
from training.dataset import Order, Source, build
from training.models.tiny import TinySize, build_tiny

SMALLEST = TinySize(hidden=32, layers=1, heads=2, scenarios=1)
SUITE = "classic-canary"
AGENTS = ("threshold-only", "aggressive")


def data_folder(folder: Path) -> Path:
    """Let scripted supervisors of classic-canary play, and return the folder with the data sets of their log."""
    url = f"sqlite:///{folder / 'log.sqlite3'}"
    chosen = [word for agent in AGENTS for word in ("--agent", agent)]
    assert run(["--database", url, "eval", "--suite", SUITE, "--seeds", "0,1", *chosen]) == 0
    for kind in ("sft", "starts"):
        build([Source(url=url)], Order(kind=kind), folder / kind)
    return folder


def smallest_model(folder: Path) -> Path:
    """Build the smallest model that knows this suite, and return its folder."""
    return build_tiny(folder, SMALLEST, played=(suites()[SUITE],))
