"""The same seed shows the same bytes: in another process, under another hash seed, on another processor."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numpy._core import _multiarray_umath as umath  # the list of what this build of numpy dispatches on

from releaseops_mcp.episodes.canary import SUITE
from tests.canary.fingerprints import SOME, distinct_tables, of_play, of_table

ROOT = Path(__file__).parents[2]
DISPATCHED = " ".join(name for name in umath.__cpu_dispatch__ if umath.__cpu_features__[name])


def printed(**environment):
    ran = subprocess.run(
        [sys.executable, "-m", "tests.canary.fingerprints"],
        env=dict(os.environ, PYTHONPATH=str(ROOT), **environment),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.split()


@pytest.mark.parametrize(
    "environment",
    [{"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "4242", "NPY_DISABLE_CPU_FEATURES": DISPATCHED}],
    ids=["hash seed", "no SIMD"],
)
def test_another_process_shows_the_same_bytes(environment):
    assert printed(**environment) == [of_play(f"canary/{family}/seed-5") for family in SOME]


def test_the_same_seed_shows_the_same_and_another_seed_something_else():
    for family in SUITE.families:
        assert of_table(family, 1) == of_table(family, 1)
        assert of_table(family, 1) != of_table(family, 2)


def test_other_seeds_show_other_tables():
    assert distinct_tables(400) == 400
