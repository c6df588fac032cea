"""Draws rules, their exceptions and the labels: family by family, so that one more moves none of the others."""

from dataclasses import dataclass, field

from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.orgs.generator.priors import Prior, rule_priors, vocabulary
from releaseops_mcp.world.orgs.generator.style import Style
from releaseops_mcp.world.orgs.model import Label, Rule, Scope, Service, Severity, Waiver
from releaseops_mcp.world.rules.registry import families

CRITICAL_TIER = 1
"""Services up to this tier are the more critical ones."""
USUAL_LABELS = ("blocker", "roadmap", "normal", "quarantine")
OTHER_LABELS = ("hotfix", "security", "docs")


@dataclass
class Book:
    """The rules and exceptions that have been drawn so far, and the words for labels."""

    prefix: str
    labels: dict[str, Label]
    rules: list[Rule] = field(default_factory=list[Rule])
    exceptions: list[Waiver] = field(default_factory=list[Waiver])


def draw_book(style: Style, services: tuple[Service, ...], teams: tuple[str, ...]) -> Book:
    """Return the rules of an organisation with what belongs to them."""
    draws = style.draws.child("book")
    initials = "".join(word[0] for word in style.slug.split("-")).upper()
    book = Book(draws.choice((f"{initials}-", f"R-{initials}-", f"{initials}.")), draw_labels(style))
    for name, prior in rule_priors().items():
        if (prior.family or name) in families() and style.draws.child("present", name).chance(prior.present):
            _add(book, name, prior, style, services, teams)
    return book


def draw_labels(style: Style) -> dict[str, Label]:
    """Return what labels mean here; a word that has a meaning keeps it."""
    draws = style.draws.child("labels")
    words = vocabulary()
    others = draws.sample(OTHER_LABELS, draws.integer(0, 2))
    found: dict[str, Label] = {}
    for means in (*USUAL_LABELS, *others):
        free = [word for word in words.labels[means] if word not in found]
        count = 2 if means == "blocker" and draws.chance(0.5) else 1
        found |= {word: words.label(means) for word in draws.sample(free, count)}
    return found


def critical_services(services: tuple[Service, ...]) -> tuple[str, ...]:
    """Return the names of the more critical services."""
    return tuple(service.name for service in services if service.tier <= CRITICAL_TIER)


def _add(
    book: Book, name: str, prior: Prior, style: Style, services: tuple[Service, ...], teams: tuple[str, ...]
) -> None:
    """Add a family's rule, or two with the same settings: one for the critical services, one for the others."""
    draws = style.draws.child("rule", name)
    critical = critical_services(services)
    others = tuple(service.name for service in services if service.name not in critical)
    partial, split = draws.chance(prior.partial), draws.chance(prior.split)
    params = {setting: style.named(style.ranked(values, "param", setting)) for setting, values in prior.params.items()}
    first: Severity = style.ranked(prior.severities, "severity", name)
    second: Severity = style.ranked(prior.severities, "severity", name, "others")
    covered: dict[tuple[str, ...], Severity] = {critical if partial else (): first}
    if critical and others and split and first != second:
        covered = {critical: first, others: second}
    touches = style.ranked(prior.touches, "touches", name)
    for part, severity in covered.items():
        own = draws.child(severity)
        rule = Rule(
            id=f"{book.prefix}{len(book.rules) + 1:02d}",
            family=prior.family or name,
            params=params,
            scope=Scope(requests=prior.requests, touches=touches, services=part),
            severity=severity,
            visibility=own.weighted(style.sector.visibility),
        )
        book.rules.append(rule)
        if own.chance(prior.waivable):
            _add_waiver(book, rule, prior, style, teams, own.child("waiver"))


def _add_waiver(book: Book, rule: Rule, prior: Prior, style: Style, teams: tuple[str, ...], draws: Draws) -> None:
    label = _label(book, draws.choice(prior.waiver_means), draws)
    waiver = Waiver(
        id=f"{book.prefix}X{len(book.exceptions) + 1}",
        rule=rule.id,
        label=label,
        grantor_team=draws.choice(teams),
        days=style.ranked(vocabulary().exception_days[::-1], "days", rule.family),
    )
    book.exceptions.append(waiver)
    book.rules[-1] = rule.model_copy(update={"unless": (waiver.id,)})


def _label(book: Book, means: str, draws: Draws) -> str:
    """Return a label of a meaning, a new one where there is none."""
    known = [name for name, label in book.labels.items() if label.means == means]
    words = [word for word in vocabulary().labels[means] if word not in book.labels]
    label = draws.choice(known or words)
    book.labels.setdefault(label, vocabulary().label(means))
    return label
