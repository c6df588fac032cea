"""Runs the alert-driven baseline on the six canary tasks at seed 0: `python -m releaseops_mcp.baseline [--url URL]`.

Standard output is a contract: one line a task, then the average.

    easy: score=0.9567 steps=3 outcome=rollback
    ...
    average=0.8447

It plays on the server at --url, else in the image that LOCAL_IMAGE_NAME or IMAGE_NAME names, else in this process.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import TextIO

from releaseops_mcp.agents.scripted.classic_canary_policies import baseline_decision
from releaseops_mcp.episodes.classic_canary.tasks import TASKS
from releaseops_mcp.errors import ReleaseOpsError
from releaseops_mcp.rollouts.base import Target
from releaseops_mcp.rollouts.choosing import choose_target
from releaseops_mcp.rollouts.playing import Rollout, play

SEED = 0


def lines(target: Target) -> Iterator[str]:
    """Yield the lines of the contract as the tasks are played; raises what the target raises."""
    scores: list[float] = []
    with closing(target.enter()) as environment:
        for task in TASKS:
            rollout = play(environment, baseline_decision, task, SEED)
            scores.append(rollout.score)
            yield line(rollout)
    yield f"average={sum(scores) / len(scores):.4f}"


def line(rollout: Rollout) -> str:
    """Return the line of one task."""
    return f"{rollout.task}: score={rollout.score:.4f} steps={len(rollout.rewards)} outcome={rollout.outcome}"


def run(arguments: Sequence[str], environment: Mapping[str, str], stdout: TextIO, stderr: TextIO) -> int:
    """Run the baseline; a fault is one line on `stderr` and exit code 1."""
    parser = argparse.ArgumentParser(prog="python -m releaseops_mcp.baseline", description="Run the baseline.")
    parser.add_argument("--url", help="a running server, in place of this process")
    try:
        with closing(choose_target(parser.parse_args(arguments).url, environment)) as target:
            for text in lines(target):
                stdout.write(f"{text}\n")
                stdout.flush()
    except ReleaseOpsError as error:
        stderr.write(f"error: {error.text}\n")
        return 1
    return 0


def main() -> int:
    """Run from the command line."""
    return run(sys.argv[1:], os.environ, sys.stdout, sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
