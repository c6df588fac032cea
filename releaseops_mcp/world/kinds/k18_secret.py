"""A live credential lands: in the example of the settings, encoded in a fixture, in a commit that is cleaned up later.

Every scan has two findings. Twins: the one that is honoured is public by nature, test data, of the base's past, or
was let pass by others than the author; the other one is of a key that no longer works.
"""

import base64
import math
from collections import Counter
from dataclasses import dataclass

from releaseops_mcp.world.changes.draft import Draft, FindingDraft
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.base import settings
from releaseops_mcp.world.rules.secret import Secrets
from releaseops_mcp.world.templates import Template

FAMILY = "secret"
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
EXAMPLE = ".env.example"
SORTS = ("gateway-key", "mail-key", "storage-key", "signing-key")
"""Of which none is public anywhere: a publishable key's sort is the organisation's to name."""
FIELDS = ("cursor", "receipt", "session", "payload")
FIXTURES = ("answer", "order", "export", "callback")
ELSEWHERE = "tests/fixtures"
INACTIVE, ACTIVE = "inactive", "active"


@dataclass(frozen=True, slots=True)
class Found:
    """One finding but for its validity."""

    rule: str
    path: str
    commit: int | None
    text: str
    suppression: str = ""


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Add two strings that look like credentials; of one of them the scan says that it works."""
    early = draws.integer(5, 30)
    if variant == "example":
        guilty, innocent = _example(draft, draws)
    elif variant == "fixture":
        guilty, innocent = _fixture(draft, draws)
    elif variant == "cleaned-up":
        guilty, innocent = _cleaned_up(draft, draws, early)
    else:
        guilty, innocent = _suppressed(draft, draws)
    draft.move_evidence_to_head(draft.head.minute + early)
    states = {guilty: ACTIVE if fault else INACTIVE, innocent: INACTIVE if fault else ACTIVE}
    draft.findings = [
        FindingDraft(each.rule, each.path, line, each.commit, states[each], _entropy(each.text), each.suppression)
        for line, each in enumerate(draws.sample([guilty, innocent], 2), 2)
    ]


def _example(draft: Draft, draws: Draws) -> tuple[Found, Found]:
    """Put two keys into the settings' example, one of a sort that anybody may see."""
    sorts = (draws.choice(SORTS), draws.choice(_wanted(draft.org, draft.service).public))
    values = [_value(draws, "pat") for _ in sorts]
    rows = [f"{_name(sort)}={value}\n" for sort, value in zip(sorts, values, strict=True)]
    draft.amend({EXAMPLE: _settings(draft) + "".join(draws.sample(rows, 2))})
    guilty, innocent = (Found(sort, EXAMPLE, 0, value) for sort, value in zip(sorts, values, strict=True))
    return guilty, innocent


def _fixture(draft: Draft, draws: Draws) -> tuple[Found, Found]:
    """Put an encoded key into each of two fixtures, one of which lies among the allowed test data."""
    names, sort = draws.sample(FIXTURES, 2), draws.choice(SORTS)
    places = (ELSEWHERE, _allowed(draft.org, draft.service))
    found: list[Found] = []
    for place, name in zip(places, names, strict=True):
        value = _value(draws, "pat")
        field = draws.choice(FIELDS)
        path = f"{place}/{name}.json"
        draft.amend({path: f'{{"{field}": "{base64.b64encode(value.encode()).decode()}"}}\n'})
        found.append(Found(sort, path, 0, value))
    return found[0], found[1]


def _cleaned_up(draft: Draft, draws: Draws, minutes: int) -> tuple[Found, Found]:
    """Put a key into the example and empty its line with the next push; another was found in the base's past."""
    sort = draws.choice(SORTS)
    name = _name(sort)
    value, past = _value(draws, "pat"), _value(draws, "pat")
    before = _settings(draft)
    draft.amend({EXAMPLE: f"{before}{name}={value}\n"})
    draft.push({EXAMPLE: f"{before}{name}=\n"}, "Leave the example empty", draft.head.minute + minutes)
    return Found(sort, EXAMPLE, 0, value), Found(sort, EXAMPLE, None, past)


def _suppressed(draft: Draft, draws: Draws) -> tuple[Found, Found]:
    """Put two keys with a remark for the scan into the example; of one of them, others than the author decided."""
    sorts = draws.sample(SORTS, 2)
    values = [_value(draws, "pat") for _ in sorts]
    rows = [f"{_name(sort)}={value}  # keysweep:allow\n" for sort, value in zip(sorts, values, strict=True)]
    draft.amend({EXAMPLE: _settings(draft) + "".join(draws.sample(rows, 2))})
    return Found(sorts[0], EXAMPLE, 0, values[0], "inSource"), Found(sorts[1], EXAMPLE, 0, values[1], "external")


def _settings(draft: Draft) -> str:
    return draft.head.tree.get(EXAMPLE, f"{draft.template.package.upper()}_URL=https://{draft.service.name}.invalid\n")


def _name(sort: str) -> str:
    return sort.replace("-", "_").upper()


def _value(draws: Draws, prefix: str) -> str:
    return f"{prefix}_{''.join(draws.choice(LETTERS) for _ in range(22))}"


def _entropy(text: str) -> float:
    """Return the bits a character of a text, by its own letters."""
    shares = [count / len(text) for count in Counter(text).values()]
    return round(-sum(share * math.log2(share) for share in shares), 1)


def _wanted(org: Org, service: Service) -> Secrets:
    return settings(bearing(org, service, FAMILY)[0], Secrets)


def _allowed(org: Org, service: Service) -> str:
    """Return a folder of allowed test data below the fixtures, or ""."""
    folders = (glob.removesuffix("/**") for glob in _wanted(org, service).allowed if glob.endswith("/**"))
    return next((folder for folder in folders if folder.startswith(f"{ELSEWHERE}/")), "")


def _has_public(org: Org, service: Service, template: Template) -> bool:
    return bool(_wanted(org, service).public)


def _has_allowed(org: Org, service: Service, template: Template) -> bool:
    return bool(_allowed(org, service))


def _trusts_others(org: Org, service: Service, template: Template) -> bool:
    return set(_wanted(org, service).suppressions) == {"external"}


KIND = Kind(
    name="k18-secret",
    group="D",
    title="A live credential lands",
    family=FAMILY,
    variants=(
        Variant("example", 2, ("secrets",), 2, fits=_has_public),
        Variant("suppressed", 3, ("secrets",), 2, fits=_trusts_others),
        Variant("fixture", 3, ("secrets",), 2, fits=_has_allowed),
        Variant("cleaned-up", 4, ("secrets",), 3),
    ),
    plant=plant,
)
