"""The page's text, in Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import fill
from typing import cast

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from releaseops_mcp.evaluation.kinds_page.facts import GROUPS, KindFacts, every_kind
from releaseops_mcp.evaluation.kinds_page.scores import REFERENCE, SIMPLE, Figure, Scores
from releaseops_mcp.world.ci.collection import collect
from releaseops_mcp.world.orgs.loader import load_org, org_names
from releaseops_mcp.world.orgs.model import Org
from releaseops_mcp.world.rules.registry import families
from releaseops_mcp.world.templates import load_template, template_names

COMMAND = "python -m releaseops_mcp.evaluation.kinds_page"
OPENING = f"""\
# Kinds of failure

What goes wrong in the `gate` suite, and what only looks like it. Each kind has a *twin*: the same change, the same
first observation, and nothing wrong. A kind comes in several *variants*. The *tell* names the formats of the pages in
which a variant and its twin differ; *depth* says how indirect it is (1 the first page of a named artefact, 2 a later
page, 3 a join of two, 4 a join with a scope, an exception or a date); *pages* is how many settle it.

This page is written from the code, by `{COMMAND} --write`.
"""
UNMEASURED = f"No scores have been measured yet: `{COMMAND} --score --date DATE` does it.\n"
MEASURED = f"""\
Scores: mean raw return, and in brackets the share of twin pairs with every decision and the end right in both worlds;
{{pairs}} pairs a kind over all organisations and levels, seeds of the dev split. *Two artefacts* reads two artefacts of
every proposal; *best simple* is the best supervisor that needs no judgement. Measured with
`{COMMAND} --score --date {{date}}`.
"""
NOTHING = "-"
WIDTH = 120


def render(scores: Scores | None) -> str:
    """Return the whole page; kinds without scores show a dash."""
    kinds = every_kind()
    measured = UNMEASURED if scores is None else MEASURED.format(pairs=scores.pairs, date=scores.date)
    parts = [OPENING, measured, _overview(kinds, scores)]
    for group, title in GROUPS.items():
        parts += [f"## {group}. {title}\n", *(_kind(each) for each in kinds if each.kind.group == group)]
    parts += ["## Rule families\n", table(("family", "what it demands", "kinds", "settings"), _families(kinds))]
    parts += ["## Organisations\n", table(("organisation", "sector", "services", "rules", "kinds"), _orgs(kinds))]
    parts += ["## Service templates\n", table(("template", "files", "tests", "edits", "surfaces"), _templates())]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts if part)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells) + "\n"


def _overview(kinds: Sequence[KindFacts], scores: Scores | None) -> str:
    head = ("kind", "what goes wrong", "rule family", "reference", "two artefacts", "best simple")
    return table(head, (_row(each, scores) for each in kinds))


def _row(each: KindFacts, scores: Scores | None) -> list[str]:
    found = scores.figures.get(each.kind.name, {}) if scores else {}
    best = scores.best.get(each.kind.name, "") if scores else ""
    figures = [_figure(found.get(REFERENCE)), _figure(found.get(SIMPLE)), _figure(found.get(best))]
    figures[-1] += f" {best}" if best else ""
    link = f"[{each.number}](#{each.kind.name})"
    return [link, each.kind.title, f"`{each.kind.family}`", *figures]


def _figure(figure: Figure | None) -> str:
    return NOTHING if figure is None else f"{figure.mean:.2f} ({100 * figure.pairs:.0f} %)"


def _kind(each: KindFacts) -> str:
    kind = each.kind
    variants = (
        [f"`{one.name}`", str(one.depth), ", ".join(f"`{name}`" for name in one.differs), str(one.pages)]
        for one in kind.variants
    )
    where = ", ".join(each.orgs) or "no built-in organisation"
    return (
        f"### {kind.name}\n\n{_wrapped(each.wrong)}\n\n"
        f"{_wrapped(f'*Lookalikes*: {each.twins}')}\n\n"
        f"{_wrapped(f'Rule `{kind.family}`, in a `{kind.request}`; planted in {where}.')}\n\n"
        + table(("variant", "depth", "tell", "pages"), variants)
    )


def _wrapped(text: str) -> str:
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _families(kinds: Sequence[KindFacts]) -> Iterator[list[str]]:
    for family in families().values():
        everywhere = " *In every organisation, at block, never waived.*" if family.universal else ""
        broken_by = ", ".join(each.number for each in kinds if each.kind.family == family.name) or NOTHING
        settings = ", ".join(_settings(family.params)) or NOTHING
        yield [f"`{family.name}`", family.summary + everywhere, broken_by, settings]


def _settings(params: type[BaseModel]) -> Iterator[str]:
    for name, field in params.model_fields.items():
        default = field.get_default(call_default_factory=True)
        yield f"`{name}`" if default is PydanticUndefined else f"`{name}` ({_plain(default)})"


def _plain(value: object) -> str:
    """Return a default as an organisation's file would write it; sets in a fixed order."""
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return f"{{{', '.join(f'{_plain(key)}: {_plain(each)}' for key, each in pairs)}}}"
    if isinstance(value, (tuple, list, set, frozenset)):
        items = [_plain(each) for each in cast("Iterable[object]", value)]
        return f"[{', '.join(sorted(items) if isinstance(value, (set, frozenset)) else items)}]"
    return str(value).lower() if isinstance(value, bool) else str(value) or '""'


def _orgs(kinds: Sequence[KindFacts]) -> Iterator[list[str]]:
    for org in map(load_org, org_names()):
        services = ", ".join(f"{service.name} (`{service.template}`)" for service in org.services)
        planted = sum(org.id in each.orgs for each in kinds)
        yield [f"`{org.id}` {org.title}", org.sector, services, _counted(org), str(planted)]


def _counted(org: Org) -> str:
    """Return how many rules there are of each severity, and how many are not in the handbook."""
    severities = [rule.severity for rule in org.rules]
    words = [f"{severities.count(word)} {word}" for word in ("block", "hold", "warn") if word in severities]
    unseen = sum(rule.visibility != "public" for rule in org.rules)
    return ", ".join(words + ([f"{unseen} of them not in the handbook"] if unseen else []))


def _templates() -> Iterator[list[str]]:
    for template in map(load_template, template_names()):
        surfaces = dict.fromkeys(template.surface(path) for path in template.base)
        tests = len(collect(template.base))
        yield [f"`{template.name}`", str(len(template.base)), str(tests), str(len(template.edits)), ", ".join(surfaces)]
