"""/episodes: the original's plain HTTP interface, over the arena's episodes.

The grading of a decision is shown to those who may see it; its reward to everybody, since a trainer needs it.
"""

from releaseops_mcp.arena import Arena
from releaseops_mcp.arena.answers import Answer
from releaseops_mcp.doors.http.classic_canary.completed import Completed
from releaseops_mcp.doors.http.classic_canary.requests import EpisodeBody, EpisodeStepBody
from releaseops_mcp.doors.http.classics.live import call_live, find, find_live, unknown
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.episodes.classic_canary import SUITE
from releaseops_mcp.episodes.classic_canary.suite import scenario_id
from releaseops_mcp.episodes.classic_canary.tasks import TASKS
from releaseops_mcp.episodes.classic_canary.tools import DECIDE
from releaseops_mcp.errors import InvalidArgument
from releaseops_mcp.events import Origin
from releaseops_mcp.rewards.classic_canary.texts import evaluation


class Episodes:
    """The episodes of the mounted app. Its methods raise ReleaseOpsError, whose statuses are the original's."""

    def __init__(self, max_completed: int) -> None:
        self._completed = Completed(max_completed)

    def begin(self, arena: Arena, asked: EpisodeBody, origin: Origin) -> Json:
        """Begin an episode; raises InvalidArgument for an unknown task."""
        if asked.task not in TASKS:
            raise InvalidArgument(f"no task {ascii(asked.task)[:60]}: the tasks are {', '.join(TASKS)}")
        started = arena.start(scenario_id(asked.task, asked.seed), origin)
        return {
            "episode_id": started.episode_id,
            "episode_context": _context(asked.task, asked.seed),
            "observation": started.observation,
            "done": False,
        }

    def step(self, arena: Arena, episode_id: str, body: EpisodeStepBody, origin: Origin, *, graded: bool) -> Json:
        """Take a decision; raises UnknownEpisode, then InvalidArgument for a bad action."""
        row = find(arena, SUITE.name, episode_id)
        answer = call_live(arena, row, DECIDE.name, body.action, origin, body.action_id)
        if answer.refusal is not None:
            raise InvalidArgument(answer.refusal.message)
        assert answer.result is not None
        if not answer.result["applied"]:
            raise unknown(episode_id)
        if answer.done:
            self._completed.add(episode_id)
        return _stepped(arena, answer, graded)

    def state(self, arena: Arena, episode_id: str) -> Json:
        """Return the state of an episode that is not over; raises UnknownEpisode."""
        row = find_live(arena, SUITE.name, episode_id)
        return {**state(arena, row.id), "defaulted_task": False, "requested_task": row.family}

    def transcript(self, arena: Arena, episode_id: str) -> Json:
        """Return the full account of an episode, over or not; raises UnknownEpisode."""
        row = find(arena, SUITE.name, episode_id)
        if self._completed.has_forgotten(row.id):
            raise unknown(episode_id)
        return episode_result(arena, row.id)


def state(arena: Arena, episode_id: str) -> Json:
    """Return the state of an episode, over or not; raises UnknownEpisode."""
    scenario = SUITE.parse(find(arena, SUITE.name, episode_id).scenario)
    steps = arena.peek(episode_id).observation["step_number"]
    return {"episode_id": episode_id, "step_count": steps, "task_id": scenario.family, "seed": scenario.seed}


def episode_result(arena: Arena, episode_id: str) -> Json:
    """Return the full account of an episode as it stands, grading included."""
    _, account = arena.report(episode_id)
    return {"episode_id": episode_id, **account}


def _stepped(arena: Arena, answer: Answer, graded: bool) -> Json:
    earned = answer.earned
    stepped: Json = {
        "observation": answer.observation,
        "reward": earned.reward,
        "done": answer.done,
        "evaluation": evaluation(earned.detail) if graded else None,
    }
    if answer.done:
        stepped["episode_result"] = episode_result(arena, answer.episode_id) if graded else None
    return stepped


def _context(task: str, seed: int) -> Json:
    known = TASKS[task]
    return {
        "task_id": task,
        "task_name": known.name,
        "difficulty": known.difficulty,
        "failure_pattern": known.failure_pattern,
        "seed": seed,
        "defaulted_task": False,
        "requested_task": task,
    }
