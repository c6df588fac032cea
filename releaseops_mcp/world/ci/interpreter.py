"""A small reading of a GitHub Actions workflow: jobs in order, steps, exit codes, conclusions.

Read are: `needs`, a job's and a step's `if` (`always()`, `failure()`, `false`), `continue-on-error` on both, path
filters, and of the shell `|| true`, `|| :`, `; exit 0`, `set +e` and a pipe without `pipefail`. A step that runs pytest
fails where one of its tests does; another step fails where the release's state says that it does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import yaml

from releaseops_mcp.world.ci.collection import Collected, collect
from releaseops_mcp.world.globs import covered

WORKFLOW = ".github/workflows/ci.yml"
SWALLOWS = ("|| true", "|| :", "; exit 0", "--exit-zero", "--exit-status-ignore")
"""What makes a command succeed whatever came before it."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of one test: `passed`, `failed` or `skipped`."""

    id: str
    outcome: str
    message: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class StepResult:
    """What became of one step. GitHub calls what happened `outcome` and what it counts as `conclusion`."""

    name: str
    command: str
    outcome: str
    conclusion: str


@dataclass(frozen=True, slots=True)
class JobResult:
    """What became of one job: `success`, `failure` or `skipped`."""

    name: str
    conclusion: str
    steps: tuple[StepResult, ...]


@dataclass(frozen=True, slots=True)
class CiResult:
    """What a run of the workflow over one tree came to."""

    jobs: tuple[JobResult, ...]
    tests: tuple[CaseResult, ...]

    @property
    def conclusion(self) -> str:
        """`failure` where any job failed, else `success`."""
        return "failure" if any(job.conclusion == "failure" for job in self.jobs) else "success"


def run_tests(tree: Mapping[str, str], failing: Mapping[str, str]) -> tuple[CaseResult, ...]:
    """Return every collected test's result; `failing` is the message of a failure by test id."""
    return tuple(_result(test, failing) for test in collect(tree))


def run_workflow(
    tree: Mapping[str, str], failing: Mapping[str, str], broken_steps: frozenset[str], changed: tuple[str, ...]
) -> CiResult:
    """Return what the tree's workflow comes to.

    `broken_steps` are the names of steps, other than test steps, whose command fails; `changed` are the paths that the
    change touches, for path filters.
    """
    tests = run_tests(tree, failing)
    workflow = _parsed(tree[WORKFLOW])
    paths = _paths(workflow)
    if paths and not any(covered(paths, path) for path in changed):
        return CiResult((), tests)
    red = any(test.outcome == "failed" for test in tests) or not tests
    done: dict[str, JobResult] = {}
    for name, job in workflow["jobs"].items():
        done[name] = _job(name, job, done, red, broken_steps)
    return CiResult(tuple(done.values()), tests)


def _job(
    name: str, job: Mapping[str, Any], done: Mapping[str, JobResult], red: bool, broken: frozenset[str]
) -> JobResult:
    needs = job.get("needs", [])
    upstream = [done[need].conclusion for need in ([needs] if isinstance(needs, str) else needs)]
    condition = str(job.get("if", "")).strip("${} ")
    if condition.lower() == "false" or not _goes_on(condition, all(each == "success" for each in upstream)):
        return JobResult(name, "skipped", ())
    steps: list[StepResult] = []
    going = True
    for step in job["steps"]:
        steps.append(_step(step, going, red, broken))
        going = going and steps[-1].conclusion != "failure"
    failed = any(step.conclusion == "failure" for step in steps) and not job.get("continue-on-error", False)
    return JobResult(name, "failure" if failed else "success", tuple(steps))


def _step(step: Mapping[str, Any], going: bool, red: bool, broken: frozenset[str]) -> StepResult:
    command = str(step.get("run", step.get("uses", "")))
    name = str(step.get("name", f"Run {command}"))
    condition = str(step.get("if", "")).strip("${} ")
    if condition.lower() == "false" or not _goes_on(condition, going):
        return StepResult(name, command, "skipped", "skipped")
    fails = (red if "pytest" in command and "pip" not in command else name in broken) and not _swallowed(command)
    outcome = "failure" if fails else "success"
    return StepResult(name, command, outcome, "success" if step.get("continue-on-error") else outcome)


def _goes_on(condition: str, well: bool) -> bool:
    return {"always()": True, "!cancelled()": True, "failure()": not well}.get(condition, well)


def _swallowed(command: str) -> bool:
    lines = command.strip().splitlines()
    piped = "|" in lines[-1].replace("||", "") and "pipefail" not in command
    last_wins = lines[0].strip() == "set +e" and not lines[-1].strip().startswith(("pytest", "python -m pytest"))
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


def _result(test: Collected, failing: Mapping[str, str]) -> CaseResult:
    if test.skipped is not None:
        return CaseResult(test.id, "skipped", test.skipped, test.line)
    if test.id in failing:
        return CaseResult(test.id, "failed", failing[test.id], test.line)
    return CaseResult(test.id, "passed", "", test.line)
