"""The six tasks, in order."""

import argparse
from collections.abc import Mapping, Sequence
from typing import TextIO

from releaseops_mcp.episodes.classic_canary.tasks import TASKS
from releaseops_mcp.errors import ReleaseOpsError
from releaseops_mcp.inference.chat import ChatModel
from releaseops_mcp.inference.contract import one_line
from releaseops_mcp.inference.settings import InferenceSettings, read_settings
from releaseops_mcp.inference.startup import Connect, start
from releaseops_mcp.inference.task import TaskResult, TaskRun, say
from releaseops_mcp.rollouts.base import Target
from releaseops_mcp.rollouts.choosing import choose_target

NOT_ATTEMPTED = "no_model_call_attempted"


def run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    stdout: TextIO,
    stderr: TextIO,
    connect: Connect = ChatModel,
) -> list[TaskResult]:
    """Play on the target that --env-url or the environment names; unknown flags are ignored."""
    target = choose_target(_env_url(arguments), environment)
    try:
        return play_tasks(target, read_settings(environment), stdout, stderr, connect)
    finally:
        try:
            target.close()
        except ReleaseOpsError as error:
            say(stderr, f"close_error={one_line(error.text)}")


def play_tasks(
    target: Target, settings: InferenceSettings, stdout: TextIO, stderr: TextIO, connect: Connect = ChatModel
) -> list[TaskResult]:
    """Probe the model, play every task and return what each came to."""
    startup = start(settings, connect)
    if startup.error is not None:
        say(stderr, f"proxy_error={one_line(startup.error)}")
    tasks = TaskRun(target, startup, model_mode=settings.model_mode, label=settings.label, stdout=stdout, stderr=stderr)
    try:
        results = [tasks.play(task) for task in TASKS]
    finally:
        if startup.model is not None:
            startup.model.close()
    if startup.model is not None and not any(result.attempted_model_call for result in results):
        say(stderr, f"proxy_error={NOT_ATTEMPTED}")
    return results


def _env_url(arguments: Sequence[str]) -> str | None:
    parser = argparse.ArgumentParser(prog="python -m releaseops_mcp.inference", allow_abbrev=False)
    parser.add_argument("--env-url", nargs="?", help="a running server, in place of this process")
    known, _ = parser.parse_known_args(list(arguments))
    return known.env_url
