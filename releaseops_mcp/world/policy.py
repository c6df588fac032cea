"""From rules to a verdict: which rules apply to a proposal, what each says, and which of them wins.

Precedence: an exception first turns the rule that it names into *waived* (a universal rule never); then a violated
universal or block rule makes it block; else a violated hold rule or unknown evidence that an applicable block or hold
rule needs makes it hold; else approve.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.exceptions import waived
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import Answer, Case
from releaseops_mcp.world.rules.registry import families, universal_rules

APPROVE, HOLD, BLOCK = "approve", "hold", "block"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What should be decided, and why."""

    decision: str
    """`approve`, `hold` or `block`."""
    answers: tuple[tuple[Rule, Answer], ...]
    """Every applicable rule with what it said."""

    @property
    def families(self) -> tuple[str, ...]:
        """Families of the violated rules that make the verdict: those that block, or else those that hold."""
        severities = ("block",) if self.decision == BLOCK else ("hold",)
        return tuple(
            dict.fromkeys(rule.family for rule, answer in self.answers if _is_violated(rule, answer, severities))
        )

    @property
    def grounds(self) -> tuple[str, ...]:
        """Sheets that show why it is not to be approved."""
        shown = (answer.grounds for rule, answer in self.answers if _is_violated(rule, answer, ("block", "hold")))
        return tuple(dict.fromkeys(source for grounds in shown for source in grounds))

    @property
    def missing(self) -> tuple[Topic, ...]:
        """Topics that would have to be read to be sure, those of block rules first."""
        return tuple(
            dict.fromkeys(
                topic
                for severity in ("block", "hold")
                for rule, answer in self.answers
                if rule.severity == severity
                for topic in answer.missing
            )
        )


def applicable(case: Case) -> tuple[Rule, ...]:
    """Return the rules that bear on a case: the universal ones, then the organisation's that cover it and are in force.

    What is in force is a matter of the case's minute.
    """
    return (*universal_rules(), *(rule for rule in case.handbook.rules if covers(rule, case)))


def covers(rule: Rule, case: Case) -> bool:
    """Return whether a rule's scope covers a case, at the case's time."""
    scope = rule.scope
    return (
        rule.effective.covers(case.minute)
        and (not scope.requests or case.request in scope.requests)
        and (not scope.services or case.service.name in scope.services)
        and (not scope.touches or not case.touches.isdisjoint(scope.touches))
    )


def judge(case: Case, view: View, rules: Iterable[Rule] | None = None) -> Verdict:
    """Return the verdict of a case as far as a view tells; of `rules` alone where they are given."""
    known = families()
    asked = applicable(case) if rules is None else rules
    answers = tuple((rule, waived(rule, case, view, known[rule.family].judge(rule, case, view))) for rule in asked)
    if any(_is_violated(rule, answer, ("block",)) for rule, answer in answers):
        return Verdict(BLOCK, answers)
    holds = any(
        _is_violated(rule, answer, ("hold",)) or (answer.state == "unknown" and rule.severity != "warn")
        for rule, answer in answers
    )
    return Verdict(HOLD if holds else APPROVE, answers)


def _is_violated(rule: Rule, answer: Answer, severities: tuple[str, ...]) -> bool:
    return answer.state == "violated" and rule.severity in severities
