"""One task, played to its end or to the environment's first failure."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO, TypeVar

from releaseops_mcp.client.errors import ServerTimeout
from releaseops_mcp.episodes.base import Json
from releaseops_mcp.errors import ReleaseOpsError
from releaseops_mcp.inference.contract import end_line, one_line, score, start_line, step_line
from releaseops_mcp.inference.mind import decide
from releaseops_mcp.inference.startup import Startup
from releaseops_mcp.rollouts.base import Environment, Moment, Target
from releaseops_mcp.rollouts.playing import outcome_of

SEED = 0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TaskResult:
    """What one task came to."""

    task_id: str
    score: float
    steps: int
    outcome: str
    """`error` where the environment failed; else `success` at full traffic, else `rollback`."""
    degraded: bool
    """Whether a model that was asked for did not decide everything."""
    attempted_model_call: bool

    @property
    def success(self) -> bool:
        """Whether everything ran as it was meant to; says nothing about the rollout."""
        return self.outcome != "error" and not self.degraded


class EnvironmentFailed(Exception):
    """The environment did not do its part."""


@dataclass(slots=True)
class _Course:
    """How a task goes."""

    rewards: list[float] = field(default_factory=list[float])
    outcome: str = "error"
    attempted: bool = False
    model_failed: bool = False


class TaskRun:
    """Plays tasks on a target and writes their lines."""

    def __init__(
        self, target: Target, startup: Startup, *, model_mode: bool, label: str, stdout: TextIO, stderr: TextIO
    ) -> None:
        self._target = target
        self._startup = startup
        self._model_mode = model_mode
        self._label = label
        self._stdout = stdout
        self._stderr = stderr

    def play(self, task: str) -> TaskResult:
        """Play one task and return what it came to; never raises for a failing model or environment."""
        say(self._stdout, start_line(task, self._label))
        course = _Course()
        try:
            self._enter_and_follow(task, course)
        except EnvironmentFailed as failure:
            course.outcome = "error"
            say(self._stderr, f"task={task} env_error={failure}")
        unasked = self._model_mode and not course.attempted
        result = TaskResult(
            task_id=task,
            score=score(course.rewards),
            steps=len(course.rewards),
            outcome=course.outcome,
            degraded=course.model_failed or self._startup.error is not None or unasked,
            attempted_model_call=course.attempted,
        )
        say(self._stdout, end_line(result.success, course.rewards))
        return result

    def _enter_and_follow(self, task: str, course: _Course) -> None:
        environment = _expect("runner_enter", self._target.enter)
        try:
            observation = _expect("reset", lambda: environment.reset(task, SEED))
            self._follow(environment, observation, course)
        finally:
            try:
                _expect("close", environment.close)
            except EnvironmentFailed as failure:
                say(self._stderr, f"close_error={failure}")

    def _follow(self, environment: Environment, observation: Json, course: _Course) -> None:
        done = False
        while not done:
            observation, done = self._step(environment, observation, course)
        course.outcome = outcome_of(observation)

    def _step(self, environment: Environment, observation: Json, course: _Course) -> tuple[Json, bool]:
        thought = decide(observation, self._startup.model)
        course.attempted |= thought.attempted
        course.model_failed |= thought.error is not None
        number, action_type = len(course.rewards) + 1, thought.decision["action_type"]
        try:
            moment: Moment = _expect("step", lambda: environment.step(thought.decision))
        except EnvironmentFailed as failure:
            course.rewards.append(0.0)
            say(self._stdout, step_line(number, action_type, 0.0, True, str(failure)))
            raise
        reward = round(moment.reward, 2)
        course.rewards.append(reward)
        say(self._stdout, step_line(number, action_type, reward, moment.done, thought.error))
        return moment.observation, moment.done


def say(stream: TextIO, line: str) -> None:
    """Write one line, at once."""
    stream.write(f"{line}\n")
    stream.flush()


def _expect(what: str, call: Callable[[], T]) -> T:
    """Make one call of the environment; whatever goes wrong becomes EnvironmentFailed, a timeout by its name."""
    try:
        return call()
    except (TimeoutError, ServerTimeout) as error:
        raise EnvironmentFailed(f"{what}_timeout") from error
    except ReleaseOpsError as error:
        raise EnvironmentFailed(one_line(error.text)) from error
    except Exception as error:
        raise EnvironmentFailed(one_line(f"{type(error).__name__}: {error}")) from error
