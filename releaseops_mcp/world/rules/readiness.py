"""A release can be taken back, and somebody is there to do it.

A rollback has really been done, lately and on the schema of the release; what one goes back to is still there when the
rollout ends; whoever is on call when it begins has acknowledged.
"""

from typing import Annotated

from pydantic import AfterValidator

from releaseops_mcp.world.artefacts.drills import REAL, Drill
from releaseops_mcp.world.artefacts.rollout import RolloutRecord
from releaseops_mcp.world.artefacts.rota import Acknowledgement, Shift, on_call
from releaseops_mcp.world.clock import DAY
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown, violated
from releaseops_mcp.world.rules.rollouts import rolls_out

LEAST_DAYS = 7
"""A rollback that counts for less long would go stale while a release waits."""


def _days(value: int) -> int:
    if value and value < LEAST_DAYS:
        raise ValueError(f"0 for no drill, or at least {LEAST_DAYS} days")
    return value


class Readiness(Params):
    """Settings of the family."""

    drill_days: Annotated[int, AfterValidator(_days)] = 30
    """How old the last rollback may be; 0 where none is asked for."""
    same_schema: bool = True
    """Whether it must have been on the schema that the release needs."""
    on_call: bool = True
    """Whether somebody who has acknowledged must be on call when the rollout begins."""
    runbook: bool = True
    """Whether the rollout must name a runbook."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where one of the three is missing."""
    if not rolls_out(case):
        return SATISFIED
    wanted: Readiness = settings(rule, Readiness)
    plan, drilled, rota = (case.topic(name, "dep_") for name in ("rollout", "drills", "rota"))
    plans = view.records(plan, RolloutRecord)
    needed = [plan, *([drilled] if wanted.drill_days else []), *([rota] if wanted.on_call else [])]
    missing = [topic for topic in needed if not view.known(topic)]
    if not plans:
        return unknown(*missing)
    begin = plans[0].begin(case.minute)
    if plans[0].kept_until < begin + plans[0].minutes or (wanted.runbook and not plans[0].runbook):
        return violated(view, plan, plans)
    if drilled in needed and view.known(drilled):
        drills = view.records(drilled, Drill)
        if not any(_counts(drill, plans[0], wanted, case) for drill in drills):
            return Answer("violated", (*view.sources(plan, plans), *view.sources(drilled, drills)))
    if rota in needed and view.known(rota):
        shifts = view.records(rota, Shift)
        ready = {each.user for each in view.records(rota, Acknowledgement)}
        if on_call(shifts, begin) not in ready:
            return Answer("violated", (*view.sources(plan, plans), *view.sources(rota, shifts)))
    return unknown(*missing) if missing else SATISFIED


def _counts(drill: Drill, plan: RolloutRecord, wanted: Readiness, case: Case) -> bool:
    really = drill.mode in REAL and drill.outcome == "succeeded" and drill.service == case.service.name
    fits = drill.schema == plan.schema or not wanted.same_schema
    return really and fits and case.minute - drill.minute <= wanted.drill_days * DAY


FAMILY = RuleFamily(
    name="readiness",
    summary="A rollback was done lately, what one goes back to is kept, and the on-call has acknowledged.",
    judge=judge,
    params=Readiness,
)
