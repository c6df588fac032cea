"""Guarded tests stay in the tree and are no longer collected: a name, a conftest or a shard that misses them.

Twins: the name that the suite's settings look for; a file left out that nobody guards; shards without a gap. In
each the other form was pushed before.
"""

from collections.abc import Mapping
from dataclasses import replace

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.test_files import put
from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.kinds.guarded import files, has_both, has_guarded, untouched
from releaseops_mcp.world.kinds.k04_dropped_test import COMMAND, FAMILY
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template

ENDINGS = ("checks", "spec", "suite", "cases")
"""Words for files of tests and for folders that hold none: no template has a folder of such a name."""
INI = "[pytest]\npython_files = test_*.py *_{found}.py\nnorecursedirs = .* build {passed}\n"
CONFTEST = "tests/conftest.py"
IGNORE = '"""{why} All others run, {kept} too."""\n\ncollect_ignore = ["{left_out}"]\n'
REASONS = ("Needs the sandbox.", "Runs by hand before a release.", "Slow on small runners.")
MESSAGES = ("Name it as agreed", "Follow up on the review", "Say it the other way round")
Changes = Mapping[str, str | None]


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Let pytest miss a guarded file, in one of three forms: as pushed last, where the push before did not, or only it.

    Both pushes have a run of their own. So the same tests ran and did not run in both twins; only the order differs.
    """
    missing, found = FORMS[variant](draft, draws)
    early, late = (found, missing) if fault else (missing, found)
    minute = draft.head.minute + draws.integer(20, 90)
    put(draft, early)
    draft.push({path: text for path, text in late.items() if text is not None}, draws.choice(MESSAGES), minute)
    first = draft.runs[0]
    draft.move_evidence_to_head(minute + 12)
    draft.runs = [first, replace(draft.runs[0], id=draft.new_id("ci"), minute=minute + 3)]


def _renamed(draft: Draft, draws: Draws) -> tuple[Changes, Changes]:
    """Give a guarded file another name: one that pytest does not look for, or one that it does."""
    path = draws.choice(untouched(draft))
    given, other = draws.sample(ENDINGS, 2)
    stem = path.removeprefix("tests/test_").removesuffix(".py")
    moved = {path: None, f"tests/{stem}_{given}.py": draft.head.tree[path]}
    missing, found = (INI.format(found=one, passed=two) for one, two in ((other, given), (given, other)))
    return {**moved, "pytest.ini": missing}, {**moved, "pytest.ini": found}


def _ignored(draft: Draft, draws: Draws) -> tuple[Changes, Changes]:
    """Leave a file out that is guarded, or one that is not."""
    guarded, free = (
        draws.choice(files(draft.service, draft.template, guarded=wanted)).removeprefix("tests/")
        for wanted in (True, False)
    )
    why = draws.choice(REASONS)
    missing, found = (
        IGNORE.format(why=why, left_out=out, kept=kept) for out, kept in ((guarded, free), (free, guarded))
    )
    return {CONFTEST: missing}, {CONFTEST: found}


def _sharded(draft: Draft, draws: Draws) -> tuple[Changes, Changes]:
    """Name the files by their first letters, with a gap where a guarded one begins, or without."""
    letter = _initial(draws.choice(_within(untouched(draft))))
    first = chr(ord(letter) + 1)
    text = draft.head.tree[WORKFLOW]
    line = COMMAND.findall(text)[0]
    missing, found = (
        text.replace(line, f"{line} tests/test_[a-{last}]*.py tests/test_[{first}-z]*.py")
        for last in (chr(ord(letter) - 1), letter)
    )
    return {WORKFLOW: missing}, {WORKFLOW: found}


FORMS = {"file-name": _renamed, "conftest": _ignored, "shards": _sharded}


def _initial(path: str) -> str:
    return path.removeprefix("tests/test_")[0]


def _within(paths: list[str]) -> list[str]:
    """Return the files whose first letter has one before and one after it."""
    return [path for path in paths if "a" < _initial(path) < "z"]


def _may_be_renamed(org: Org, service: Service, template: Template) -> bool:
    kept = all(rule.params.get("elsewhere", True) for rule in bearing(org, service, FAMILY))
    return kept and has_guarded(org, service, template) and "pytest.ini" not in template.base


def _may_be_ignored(org: Org, service: Service, template: Template) -> bool:
    return has_both(org, service, template) and CONFTEST not in template.base


def _may_be_sharded(org: Org, service: Service, template: Template) -> bool:
    return len(_within(files(service, template))) > 1 and bool(COMMAND.search(template.base[WORKFLOW]))


KIND = Kind(
    name="k06-not-collected",
    group="A",
    title="Guarded tests are no longer collected",
    family=FAMILY,
    variants=(
        Variant("file-name", depth=2, differs=("patch", "junit", "log", "lcov"), pages=3, fits=_may_be_renamed),
        Variant("conftest", depth=3, differs=("patch", "junit", "log", "lcov"), pages=3, fits=_may_be_ignored),
        Variant("shards", depth=3, differs=("patch", "junit", "log", "lcov"), pages=3, fits=_may_be_sharded),
    ),
    plant=plant,
)
