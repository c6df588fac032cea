"""Checks of an organisation's rules and exceptions: unknown names, contradictions, rules that could never bear."""

from collections.abc import Iterator
from itertools import combinations

from pydantic import ValidationError

from releaseops_mcp.world.evidence.view import CompleteView
from releaseops_mcp.world.orgs.model import Org, Rule
from releaseops_mcp.world.orgs.service_checks import surfaces_of
from releaseops_mcp.world.rules.base import Case, RuleFamily
from releaseops_mcp.world.rules.registry import families
from releaseops_mcp.world.templates import load_template, template_names

CHANGES = "merge_change"
"""The request that touches surfaces of a repository."""
SHIP = "ship_release_candidate"
"""The request that names tickets and a deployment alone."""


def check_rules(org: Org) -> Iterator[str]:
    """Yield what is wrong with each rule by itself."""
    exceptions = {waiver.id: waiver for waiver in org.exceptions}
    for rule in org.rules:
        family = families().get(rule.family)
        if family is None:
            yield f"rule {rule.id}: unknown family {rule.family!r}; use one of {', '.join(families())}"
            continue
        if family.universal:
            yield f"rule {rule.id}: {rule.family} holds everywhere and cannot be changed; drop it"
        try:
            family.params.model_validate(rule.params)
        except ValidationError as error:
            first = error.errors()[0]
            yield f"rule {rule.id}: params.{'.'.join(map(str, first['loc']))}: {first['msg']}"
        else:
            yield from _undecidable(org, rule, family)
        for name in rule.unless:
            if name not in exceptions:
                yield f"rule {rule.id}: no exception {name!r}; add it under exceptions or drop it from unless"
            elif exceptions[name].rule != rule.id:
                yield f"rule {rule.id}: exception {name} is for rule {exceptions[name].rule}; let both name each other"
        if not rule.effective.is_possible:
            yield f"rule {rule.id}: effective: it ends before it begins; let until be later than from"
        yield from _scope(org, rule)


def check_contradictions(org: Org) -> Iterator[str]:
    """Yield pairs of rules that say the same of the same with another severity or visibility, or are the same twice."""
    for one, other in combinations(org.rules, 2):
        same = (one.family, one.params, one.scope) == (other.family, other.params, other.scope)
        same = same and one.effective.meets(other.effective)
        if same and one.severity != other.severity:
            yield (
                f"rules {one.id} and {other.id} contradict each other: the same family, params and scope, but "
                f"{one.severity} and {other.severity}; drop one, or give it a scope or params of its own"
            )
        elif same:
            yield f"rules {one.id} and {other.id} say the same; drop one"


def check_exceptions(org: Org) -> Iterator[str]:
    """Yield exceptions that nothing names or whose label has no meaning."""
    rules = {rule.id: rule for rule in org.rules}
    for waiver in org.exceptions:
        if waiver.rule not in rules:
            yield f"exception {waiver.id}: no rule is called {waiver.rule!r}; name one of {', '.join(sorted(rules))}"
        elif waiver.id not in rules[waiver.rule].unless:
            yield f"exception {waiver.id}: rule {waiver.rule} does not list it; add it to the rule's unless"
        if waiver.label not in org.labels:
            yield f"exception {waiver.id}: label {waiver.label!r} means nothing here; add it under labels"
        if waiver.days < 1:
            yield f"exception {waiver.id}: it would never count; give it at least 1 day"


def _undecidable(org: Org, rule: Rule, family: RuleFamily) -> Iterator[str]:
    """Yield where a rule bears on ship requests and asks for what they have none of: it would hold each for ever."""
    bears = not rule.scope.touches and SHIP in (rule.scope.requests or (SHIP,))
    if not bears or not org.services:
        return
    ship = Case(org, SHIP, org.services[0], "", "", ("ticket_1", "dep_1"), frozenset(), minute=0)
    answer = family.judge(rule, ship, CompleteView({}))
    if any(not topic.subject for topic in answer.missing):
        formats = " and ".join(dict.fromkeys(topic.format for topic in answer.missing))
        yield (
            f"rule {rule.id}: it bears on ship requests, which have no {formats} to judge by; "
            f"add requests: [{CHANGES}] to its scope"
        )


def _scope(org: Org, rule: Rule) -> Iterator[str]:
    services = {service.name: service for service in org.services}
    for name in sorted(set(rule.scope.services) - set(services)):
        yield f"rule {rule.id}: no service {name!r} to be in scope; add it under services or drop it"
    covered = [services[name] for name in rule.scope.services or services if name in services]
    known = {
        surface
        for service in covered
        if service.template in template_names()
        for surface in surfaces_of(load_template(service.template))
    }
    if not known:
        return
    for surface in sorted(set(rule.scope.touches) - known):
        yield f"rule {rule.id}: nothing can touch {surface!r}; use one of {', '.join(sorted(known))}"
    if rule.scope.touches and rule.scope.requests and CHANGES not in rule.scope.requests:
        yield f"rule {rule.id}: only {CHANGES} touches anything, so it never bears; add {CHANGES} or drop touches"
