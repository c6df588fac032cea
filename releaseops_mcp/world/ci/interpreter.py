"""A small reading of a GitHub Actions workflow: jobs in order, steps, exit codes, conclusions.

Read are: `needs`, a job's and a step's `if` (see `conditions`), a job's `name` and a `matrix` of one dimension,
`continue-on-error` on jobs and steps, path filters, and of the shell `|| true`, `|| :`, `; exit 0`, `set +e` and a pipe
without `pipefail`. A step that runs pytest fails where one of its tests does, unless `--reruns` lets it pass; another
step fails where the release's state says that it does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

import yaml

from releaseops_mcp.world.ci.collection import Collected
from releaseops_mcp.world.ci.conditions import holds
from releaseops_mcp.world.ci.reruns import reruns_of
from releaseops_mcp.world.ci.selection import PLAIN, selected
from releaseops_mcp.world.globs import covered

WORKFLOW = ".github/workflows/ci.yml"
SWALLOWS = ("|| true", "|| :", "; exit 0", "--exit-zero", "--exit-status-ignore")
"""What makes a command succeed whatever came before it."""
IN_PROGRESS, QUEUED = "in_progress", "queued"
FLAKY = "TimeoutError: no answer within 5 s"
"""How a flaky test fails."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of one test: `passed`, `failed` or `skipped`."""

    id: str
    outcome: str
    message: str = ""
    line: int = 0
    retries: int = 0
    """How often it failed in this run before it came to its outcome."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What became of one step. GitHub calls what happened `outcome` and what it counts as `conclusion`."""

    name: str
    command: str
    outcome: str
    conclusion: str


@dataclass(frozen=True, slots=True)
class JobResult:
    """What became of one job: `success`, `failure` or `skipped`; "" while it has not ended."""

    name: str
    """What GitHub calls its check: the `name` or else the key, with the leg of a matrix in brackets."""
    conclusion: str
    steps: tuple[StepResult, ...]
    status: str = "completed"
    """`completed`, `in_progress` or `queued`."""


@dataclass(frozen=True, slots=True)
class CiResult:
    """What a run of the workflow over one tree came to."""

    jobs: tuple[JobResult, ...]
    tests: tuple[CaseResult, ...]

    @property
    def conclusion(self) -> str:
        """`failure` where any job failed, else `success`; "" while a job has not ended."""
        if self.status != "completed":
            return ""
        return "failure" if any(job.conclusion == "failure" for job in self.jobs) else "success"

    @property
    def status(self) -> str:
        """`completed` where every job has ended, else `in_progress`."""
        return "completed" if all(job.status == "completed" for job in self.jobs) else IN_PROGRESS


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a run met that its tree does not say."""

    failing: Mapping[str, str] = field(default_factory=dict[str, str])
    """Message of the failure by test id."""
    broken_steps: frozenset[str] = frozenset()
    """Names of steps, other than test steps, whose command fails; `job/step` where several jobs have one."""
    unfinished: frozenset[str] = frozenset()
    """Keys of jobs that have not ended when somebody looks."""
    flaky: Mapping[str, int] = field(default_factory=dict[str, int])
    """How often a test fails before it passes, by test id."""


def run_tests(tree: Mapping[str, str], failing: Mapping[str, str], command: str = PLAIN) -> tuple[CaseResult, ...]:
    """Return the result of every test that a command runs; `failing` is the message of a failure by test id."""
    return tuple(_result(test, Circumstances(failing), 0) for test in selected(tree, command))


def run_workflow(
    tree: Mapping[str, str],
    failing: Mapping[str, str],
    broken_steps: frozenset[str],
    changed: tuple[str, ...],
    unfinished: frozenset[str] = frozenset(),
    flaky: Mapping[str, int] | None = None,
) -> CiResult:
    """Return what the tree's workflow comes to.

    `changed` are the paths that the change touches, for path filters; the rest is what `Circumstances` holds.
    """
    met = Circumstances(failing, broken_steps, unfinished, flaky or {})
    workflow = parsed(tree[WORKFLOW])
    reruns = max(reruns_of(str(step.get("run", ""))) for job in workflow["jobs"].values() for step in job["steps"])
    tests = tuple(_result(test, met, reruns) for test in selected(tree, suite_command(workflow)))
    paths = _paths(workflow)
    if paths and not any(covered(paths, path) for path in changed):
        return CiResult((), tests)
    red = any(test.outcome == "failed" for test in tests) or not tests
    jobs: list[JobResult] = []
    done: dict[str, JobResult] = {}
    for key, job in workflow["jobs"].items():
        done[key] = _job(key, job, done, red, met)
        jobs += (_leg(done[key], name) for name in check_names(key, job))
    return CiResult(tuple(jobs), tests)


def parsed(text: str) -> Any:
    """Return a workflow file as plain data."""
    return _parsed(text)


def check_names(key: str, job: Mapping[str, Any]) -> Iterator[str]:
    """Yield what GitHub calls a job's checks: one, or one for each leg of its matrix."""
    name = str(job.get("name", key))
    legs: Mapping[str, Any] = job.get("strategy", {}).get("matrix", {})
    values = next(iter(legs.values()), None)
    yield from [name] if values is None else [f"{name} ({value})" for value in values]


def suite_command(workflow: Mapping[str, Any]) -> str:
    """Return the command with which a workflow, as plain data, runs its tests; the whole suite where it names none."""
    commands = (str(step.get("run", "")) for job in workflow["jobs"].values() for step in job["steps"])
    return next(filter(runs_tests, commands), PLAIN)


def runs_tests(command: str) -> bool:
    """Return whether a command runs the test suite."""
    return "pytest" in command and "pip install" not in command


def _leg(job: JobResult, name: str) -> JobResult:
    return JobResult(name, job.conclusion, job.steps, job.status)


def _job(key: str, job: Mapping[str, Any], done: Mapping[str, JobResult], red: bool, met: Circumstances) -> JobResult:
    needs = job.get("needs", [])
    upstream = {need: done[need] for need in ([needs] if isinstance(needs, str) else needs)}
    if any(each.status != "completed" for each in upstream.values()):
        return JobResult(key, "", (), QUEUED)
    well = all(each.conclusion == "success" for each in upstream.values())
    context = {f"needs.{need}.result": each.conclusion for need, each in upstream.items()}
    if not holds(str(job.get("if", "")), well, context):
        return JobResult(key, "skipped", ())
    steps: list[StepResult] = []
    going = True
    for step in job["steps"]:
        steps.append(_step(key, step, going, red, met))
        going = going and steps[-1].conclusion != "failure"
    if key in met.unfinished:
        return JobResult(key, "", tuple(steps[:1]), IN_PROGRESS)
    failed = any(step.conclusion == "failure" for step in steps) and not job.get("continue-on-error", False)
    return JobResult(key, "failure" if failed else "success", tuple(steps))


def _step(key: str, step: Mapping[str, Any], going: bool, red: bool, met: Circumstances) -> StepResult:
    command = str(step.get("run", step.get("uses", "")))
    name = str(step.get("name", f"Run {command}"))
    if not holds(str(step.get("if", "")), going, {}):
        return StepResult(name, command, "skipped", "skipped")
    broken = not met.broken_steps.isdisjoint((name, f"{key}/{name}"))
    fails = (red if runs_tests(command) else broken) and not _swallowed(command)
    outcome = "failure" if fails else "success"
    return StepResult(name, command, outcome, "success" if step.get("continue-on-error") else outcome)


def _swallowed(command: str) -> bool:
    lines = command.strip().splitlines()
    piped = "|" in lines[-1].replace("||", "") and "pipefail" not in command
    last_wins = "set +e" in map(str.strip, lines) and not lines[-1].strip().startswith(("pytest", "python -m pytest"))
    return any(word in command for word in SWALLOWS) or piped or last_wins


def _paths(workflow: Mapping[Any, Any]) -> tuple[str, ...]:
    # YAML 1.1 reads the key `on` as the boolean true.
    events: Any = workflow.get("on", workflow.get(True))
    if not isinstance(events, dict):
        return ()
    filters: Any = cast("dict[str, Any]", events).get("pull_request") or {}
    return tuple(filters.get("paths", ()))


@lru_cache(maxsize=512)
def _parsed(text: str) -> Any:
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe loaders


def _result(test: Collected, met: Circumstances, reruns: int) -> CaseResult:
    if test.skipped is not None:
        return CaseResult(test.id, "skipped", test.skipped, test.line)
    if test.id in met.failing:
        return CaseResult(test.id, "failed", met.failing[test.id], test.line, reruns)
    again = met.flaky.get(test.id, 0)
    if again > reruns:
        return CaseResult(test.id, "failed", FLAKY, test.line, reruns)
    return CaseResult(test.id, "passed", FLAKY if again else "", test.line, again)
