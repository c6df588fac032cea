"""No rollout of a service may overlap with a window in which changes of it are denied.

Two sorts of window: those of the handbook's week, and the dated freezes of the change calendar. A rollout begins when
it is approved, or at its own hour where that is later, so a window may also be waited out.
"""

from releaseops_mcp.world.artefacts.calendar import FreezeRecord
from releaseops_mcp.world.artefacts.rollout import RolloutRecord
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.orgs.windows import denied
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown, violated
from releaseops_mcp.world.rules.rollouts import rolls_out


class Freezes(Params):
    """Settings of the family."""

    dated: bool = True
    """Whether the calendar's dated freezes count, besides the weekly windows of the handbook."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where the rollout would overlap with a window; an emergency's ticket may open it."""
    if not rolls_out(case):
        return SATISFIED
    wanted: Freezes = settings(rule, Freezes)
    plan, calendar = case.topic("rollout", "dep_"), case.topic("calendar", "dep_")
    plans = view.records(plan, RolloutRecord)
    if not plans:
        return unknown(plan)
    begin = plans[0].begin(case.minute)
    end = begin + plans[0].minutes
    windows = denied(case.handbook, case.service, begin, end)
    dated = view.records(calendar, FreezeRecord) if wanted.dated else ()
    freezes = [each for each in dated if each.covers(case.service.name, begin, end)]
    links = [plans[0].ticket] if plans[0].ticket and all(window.emergency for window in windows) else []
    if windows:
        return violated(view, plan, plans, links)
    if freezes:
        return Answer("violated", (*view.sources(plan, plans), *view.sources(calendar, freezes)), links=tuple(links))
    return unknown(calendar) if wanted.dated and not view.known(calendar) else SATISFIED


FAMILY = RuleFamily(
    name="freeze",
    summary="A rollout overlaps with no window in which changes are denied, unless an emergency opens it.",
    judge=judge,
    params=Freezes,
)
