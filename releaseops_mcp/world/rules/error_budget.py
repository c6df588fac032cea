"""A service whose error budget is spent ships only what makes it safer, unless others spent it.

The budget is what the objective leaves over the rule's own window; how fast it burns over a shorter one is no matter.
"""

import math

from pydantic import Field

from releaseops_mcp.world.artefacts.incidents import Incident
from releaseops_mcp.world.artefacts.rollout import RolloutRecord
from releaseops_mcp.world.artefacts.slo import Ratio
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown
from releaseops_mcp.world.rules.rollouts import rolls_out


class Budget(Params):
    """Settings of the family."""

    window_days: int = Field(default=28, ge=1)
    """Over how many days the budget is counted."""
    objective: float = Field(default=99.9, gt=0, lt=100)
    """Which share of requests must succeed, in percent."""
    exempt_kinds: tuple[str, ...] = ("reliability", "security")
    """Kinds of change that may ship with a spent budget, where the release holds no other."""
    exempt_causes: tuple[str, ...] = ()
    """Causes of incidents that do not count, where a person who does not prompt the worker named them."""

    @property
    def allowed(self) -> float:
        """The ratio of failed requests that the objective leaves."""
        return round(1 - self.objective / 100, 9)

    @property
    def window(self) -> str:
        """The window as Prometheus writes it."""
        return f"{self.window_days}d"


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the budget is spent, by what counts, and the release holds what must then wait."""
    if not rolls_out(case):
        return SATISFIED
    wanted: Budget = settings(rule, Budget)
    health, causes = Topic("slo", case.service.name), Topic("incidents", case.service.name)
    plan = case.topic("rollout", "dep_")
    ratios = [each for each in view.records(health, Ratio) if each.window == wanted.window]
    total = next((each.value for each in ratios if not each.incident), math.nan)
    if math.isnan(total):
        return unknown(health)
    if total <= wanted.allowed:
        return SATISFIED
    plans = view.records(plan, RolloutRecord)
    if not plans:
        return unknown(plan)
    if set(plans[0].kinds) <= set(wanted.exempt_kinds):
        return SATISFIED
    grounds = (*view.sources(health, ratios), *view.sources(plan, plans))
    if wanted.exempt_causes:
        if not view.known(causes):
            return unknown(causes)
        incidents = view.records(causes, Incident)
        others = {each.id for each in incidents if _is_exempt(each, wanted, case)}
        if total - sum(each.value for each in ratios if each.incident in others) <= wanted.allowed:
            return SATISFIED
        grounds = (*grounds, *view.sources(causes, incidents))
    return Answer("violated", grounds)


def _is_exempt(incident: Incident, wanted: Budget, case: Case) -> bool:
    person = case.handbook.person(incident.attributed_by)
    if person is None or person.kind != "human" or case.worker in person.operator_of:
        return False
    return incident.service == case.service.name and incident.cause in wanted.exempt_causes


FAMILY = RuleFamily(
    name="error_budget",
    summary="With a spent error budget nothing ships but what makes the service safer.",
    judge=judge,
    params=Budget,
)
