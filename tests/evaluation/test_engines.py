"""Engines: the local one is the usual one, and others are loaded only when they are asked for."""

import subprocess
import sys

import pytest

from releaseops_mcp.agents.registry import supervisors_for
from releaseops_mcp.arena import Arena
from releaseops_mcp.episodes.classic_canary import SUITE as CANARY
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.evaluation.engines import open_engine
from releaseops_mcp.evaluation.runs import run
from releaseops_mcp.settings import Settings

SCENARIOS = CANARY.splits()["published"]


def test_the_local_engine_plays_what_is_played_without_naming_one(sqlite_arena: Arena) -> None:
    supervisors = supervisors_for(CANARY.name)[:2]
    usual = run(sqlite_arena, supervisors, SCENARIOS)

    with open_engine("local", sqlite_arena, Settings(), via="python", jobs=3) as engine:
        came = run(sqlite_arena, supervisors, SCENARIOS, engine=engine)

    assert engine.jobs == 3
    assert list(came.tables.rows()) == list(usual.tables.rows())


def test_an_engine_or_a_runner_that_does_not_exist_is_refused_with_those_that_do(sqlite_arena: Arena) -> None:
    with pytest.raises(InvalidArgument, match="no engine 'spark': choose one of local, ray"):
        open_engine("spark", sqlite_arena, Settings(), via="python")
    with pytest.raises(InvalidArgument, match="no runner 'telepathy': choose one of python"):
        open_engine("ray", sqlite_arena, Settings(), via="telepathy")


def test_a_missing_ray_is_answered_with_the_extra_that_brings_it(
    sqlite_arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setitem(sys.modules, "ray", None)

    with (
        pytest.raises(InvalidArgument, match=r"needs ray, .* pip install 'releaseops-arena\[ray\]'"),
        open_engine("ray", sqlite_arena, Settings(), via="python"),
    ):
        raise AssertionError


def test_nobody_pays_for_ray_who_does_not_ask_for_it() -> None:
    code = "import sys, releaseops_mcp.cli.evaluate; print('ray' in sys.modules)"

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout == "False\n"
