"""A flag's default is turned on before the flag has long been on for everybody.

Twins: a setting that only says where the flag can be read; a flag that has been on for everybody for weeks, and in
production rather than in staging.
"""

import re
from dataclasses import replace

from releaseops_mcp.world.artefacts import flags
from releaseops_mcp.world.artefacts.flags import PRODUCTION, STAGING, Served
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.clock import DAY, HOUR
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.evidence.sheet import Artefact
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.flag_default import FLAGS, Flags
from releaseops_mcp.world.templates import Template

FAMILY = "flag_default"
OFF = re.compile(r"^( *- name: ([\w.-]+)\n *default: )false$", re.MULTILINE)
"""A flag whose default may be turned on."""
NEW = ("bulk-export", "saved-views", "quick-retry", "night-digest", "shared-lists", "short-links")
PARTS = (10, 25, 50, 75)
"""Percent of the users for whom a flag may be on before it is on for all."""


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Turn a default on, or a fallback, or what looks like it; and write down what the flag service serves."""
    text = draft.head.tree[FLAGS]
    days = max(Flags.model_validate(rule.params).days for rule in bearing(draft.org, draft.service, FAMILY))
    free = [(match[1], match[2]) for match in OFF.finditer(text) if match[2] in draft.template.base[FLAGS]]
    young, old = (_served(draft, done, days, draws.child(str(done))) for done in (False, True))
    if variant in ("default-on", "fallback"):
        name = draws.choice(NEW)
        draft.amend({FLAGS: text + _entry(text, name, variant, draft.service.owners[0], fault)})
        rows = [replace(young, flag=name), replace(old, flag=free[0][1])]
    else:
        head, name = draws.choice(free)
        draft.amend({FLAGS: text.replace(f"{head}false", f"{head}true", 1)})
        pair = (young, old) if fault else (old, young)
        other = next((flag for _, flag in free if flag != name), draws.choice(NEW))
        if variant == "environment":
            rows = [replace(pair[0], flag=name), replace(pair[1], flag=name, environment=STAGING)]
        else:
            rows = [replace(pair[0], flag=name), replace(pair[1], flag=other)]
    _serve(draft, tuple(sorted(rows, key=lambda row: (row.flag, row.environment))))


def _served(draft: Draft, done: bool, days: int, draws: Draws) -> Served:
    """Return what is served of a flag that has long been on for everybody, or that is not there yet."""
    long = draft.minute - days * DAY - draws.integer(2 * 24, 80 * 24) * HOUR
    short = draft.minute - draws.integer(24, max(24, (days - 4) * 24)) * HOUR
    percent, late = draws.choice(PARTS), draws.chance(0.5)
    # Not there yet: on for some, however long; or on for all, but not for long.
    if done:
        return Served("", PRODUCTION, 100, long)
    return Served("", PRODUCTION, 100 if late else percent, short if late else long)


def _entry(text: str, name: str, variant: str, owner: str, fault: bool) -> str:
    """Return a new flag, written like those before it; of two settings one is on."""
    indent = next(line for line in text.splitlines() if "- name:" in line).partition("-")[0]
    words = ("true", "false") if fault else ("false", "true")
    default = {"default": words[0]} if variant == "default-on" else {"default": "false", "fallback": words[0]}
    settings = {**default, "client_side": words[1], "owner": owner}
    return f"{indent}- name: {name}\n" + "".join(f"{indent}  {key}: {value}\n" for key, value in settings.items())


def _serve(draft: Draft, rows: tuple[Served, ...]) -> None:
    """Let the deployment's record go on with what the flag service serves."""
    place, known = next((place, each) for place, each in enumerate(draft.extras) if each.id.startswith("dep_"))
    draft.extras[place] = Artefact(known.id, known.tool, lambda: (*known.sheets, *flags.sheets(known.id, rows)))


def _has_flags(org: Org, service: Service, template: Template) -> bool:
    production = all(
        Flags.model_validate(rule.params).environment == PRODUCTION for rule in bearing(org, service, FAMILY)
    )
    return production and OFF.search(template.base.get(FLAGS, "")) is not None


def _binds_fallback(org: Org, service: Service, template: Template) -> bool:
    asked = all(Flags.model_validate(rule.params).fallback for rule in bearing(org, service, FAMILY))
    return asked and _has_flags(org, service, template)


KIND = Kind(
    name="k28-early-flag",
    group="E",
    title="A flag is on by default too early",
    family=FAMILY,
    variants=(
        Variant("default-on", depth=1, differs=("patch",), pages=3, fits=_has_flags),
        Variant("fallback", depth=1, differs=("patch",), pages=3, fits=_binds_fallback),
        Variant("rollout", depth=3, differs=("flags",), pages=3, fits=_has_flags),
        Variant("environment", depth=4, differs=("flags",), pages=3, fits=_has_flags),
    ),
    plant=plant,
)
