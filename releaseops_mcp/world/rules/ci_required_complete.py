"""Every required job has run on the change's run and passed."""

from releaseops_mcp.world.artefacts.run import JobRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, RuleFamily, unknown, violated


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where a required job is missing from the run or ended in anything but success."""
    topic = case.topic("run", "ci_")
    if not view.known(topic):
        return unknown(topic)
    jobs = view.records(topic, JobRecord)
    green = {job.name for job in jobs if job.conclusion == "success"}
    if set(case.service.required_jobs) <= green:
        return SATISFIED
    return violated(view, topic, jobs)


FAMILY = RuleFamily(name="ci_required_complete", summary="Every required CI job has run and passed.", judge=judge)
