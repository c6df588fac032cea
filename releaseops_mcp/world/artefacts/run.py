"""A workflow run with its jobs and steps, as GitHub's REST API shows it."""

import json
from dataclasses import dataclass

from releaseops_mcp.world import clock
from releaseops_mcp.world.artefacts.registry import Format
from releaseops_mcp.world.evidence.sheet import Record, Sheet, Topic
from releaseops_mcp.world.state import Run


@dataclass(frozen=True, slots=True)
class RunRecord(Record):
    """The run: of which commit, which attempt, and how it ended."""

    head: str
    attempt: int
    conclusion: str
    """"" while the run has not ended."""
    minute: int
    previous: str = ""
    """Id of the run that was the attempt before this one; "" for a first attempt."""


@dataclass(frozen=True, slots=True)
class JobRecord(Record):
    """One job, with its steps' names and conclusions. A step that may fail concludes `success` even where it failed."""

    name: str
    conclusion: str
    """"" while the job has not ended."""
    steps: tuple[tuple[str, str], ...]


def sheets(run: Run) -> tuple[Sheet, ...]:
    """Return the one page."""
    document = {
        "id": int(run.id.rpartition("_")[2]),
        "name": "ci",
        "event": "pull_request",
        "head_sha": run.commit.sha,
        "run_attempt": run.attempt,
        **({"previous_attempt_url": f"/actions/runs/{run.previous}"} if run.previous else {}),
        "status": run.result.status,
        "conclusion": run.result.conclusion or None,
        "created_at": clock.stamp(run.minute),
        "jobs": [
            {
                "name": job.name,
                "status": job.status,
                "conclusion": job.conclusion or None,
                "steps": [{"name": step.name, "conclusion": step.conclusion} for step in job.steps],
            }
            for job in run.result.jobs
        ],
    }
    return (Sheet(Topic(FORMAT.name, run.id), json.dumps(document)),)


def parse(subject: str, text: str) -> tuple[Record, ...]:
    """Return the run and its jobs."""
    document = json.loads(text)
    jobs = (
        JobRecord(
            job["name"], job["conclusion"] or "", tuple((step["name"], step["conclusion"]) for step in job["steps"])
        )
        for job in document["jobs"]
    )
    run = RunRecord(
        document["head_sha"],
        document["run_attempt"],
        document["conclusion"] or "",
        clock.minute_of(document["created_at"]),
        document.get("previous_attempt_url", "").rpartition("/")[2],
    )
    return (run, *jobs)


FORMAT = Format(name="run", tool="inspect_ci_run", parse=parse, minutes=10)
