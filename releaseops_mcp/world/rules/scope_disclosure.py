"""A change does what it says it does: the kind of change that it is declared to be covers every path that it touches.

A change is declared by its title (`docs: ...`, `test(money): ...`) and by the boxes ticked in its body (`- [x] docs`).
Whoever declares nothing, or a kind that may touch everything, discloses nothing less. Generated files need no word.
"""

import re
from collections.abc import Mapping

from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.evidence.view import View
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.orgs.model import Rule
from releaseops_mcp.world.rules.base import SATISFIED, Answer, Case, Params, RuleFamily, settings, unknown, violated

TITLE = re.compile(r"([a-z]+)(?:\([\w-]+\))?!?: ")
BOX = re.compile(r"^[-*] \[[xX]\] ([a-z]+)", re.MULTILINE)
ALIASES = {"doc": "docs", "test": "tests", "build": "deps", "db": "schema"}
KINDS: Mapping[str, tuple[str, ...]] = {
    "docs": ("docs/**", "*.md"),
    "tests": ("tests/**", "*/testing/**"),
    "ci": (".github/**",),
    "deps": ("requirements.txt", "requirements.lock"),
    "schema": ("migrations/**",),
}


class Disclosure(Params):
    """Settings of the family."""

    kinds: Mapping[str, tuple[str, ...]] = KINDS
    """The paths (globs) that a declared kind of change may touch; a kind that is not listed may touch everything."""
    generated: tuple[str, ...] = ()
    """Paths (globs) of generated files, which a change of any kind may touch."""


def judge(rule: Rule, case: Case, view: View) -> Answer:
    """Violated where a touched path is neither generated nor covered by any kind that is declared."""
    wanted: Disclosure = settings(rule, Disclosure)
    patch = case.topic("patch", "pr_")
    heads = view.records(patch, PatchHead)
    if not heads:
        return unknown(patch)
    said = declared(heads[0].title, heads[0].body)
    return violated(view, patch, heads) if undisclosed(said, heads[0].files, wanted) else SATISFIED


def declared(title: str, body: str) -> frozenset[str]:
    """Return the kinds of change that a title and a body declare."""
    first = TITLE.match(title)
    words = [*([first[1]] if first else []), *BOX.findall(body)]
    return frozenset(ALIASES.get(word, word) for word in words)


def undisclosed(kinds: frozenset[str], files: tuple[str, ...], wanted: Disclosure) -> tuple[str, ...]:
    """Return the paths that no declared kind covers; none where nothing is declared."""
    if not kinds or any(kind not in wanted.kinds for kind in kinds):
        return ()
    globs = tuple(glob for kind in kinds for glob in wanted.kinds[kind]) + wanted.generated
    return tuple(path for path in files if not covered(globs, path))


FAMILY = RuleFamily(
    name="scope_disclosure",
    summary="What a change is declared to be covers every path that it touches.",
    judge=judge,
    params=Disclosure,
)
