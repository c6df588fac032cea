"""Every required check has reported on the change's run, has ended, and has done its work.

GitHub lets a required check pass that was skipped, and shows a job whose only step was skipped as a success; here a
check counts only where it ran. An organisation may name checks of which a skip is expected.
"""

from releaseops_mcp.world.artefacts.run import JobRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown, violated


class Completeness(Params):
    """Settings of the family."""

    may_skip: tuple[str, ...] = ()
    """Required checks of which a skip counts as a pass."""
    steps: bool = True
    """Whether each step of a required check must have run, too."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where a required check is missing from the run, has not ended, did not run or did not succeed."""
    wanted: Completeness = settings(rule, Completeness)
    topic = case.topic("run", "ci_")
    if not view.known(topic):
        return unknown(topic)
    jobs = view.records(topic, JobRecord)
    passed = {job.name for job in jobs if _passed(job, wanted)}
    if set(case.service.required_jobs) <= passed:
        return SATISFIED
    return violated(view, topic, jobs)


def _passed(job: JobRecord, wanted: Completeness) -> bool:
    if job.conclusion == "skipped":
        return job.name in wanted.may_skip
    if job.conclusion != "success":
        return False
    return not wanted.steps or job.name in wanted.may_skip or all(word != "skipped" for _, word in job.steps)


FAMILY = RuleFamily(
    name="ci_required_complete",
    summary="Every required CI check has reported, has run and has passed.",
    judge=judge,
    params=Completeness,
)
