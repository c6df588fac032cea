"""A test failed and was tried until it passed, and nothing explains the failure.

Twins: a test that the organisation knows to be flaky; a change that does not touch what such a test tests; no more
tries than the organisation lets pass.
"""

from dataclasses import replace
from pathlib import PurePosixPath

from releaseops_mcp.world.changes.attempts import tried_again
from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.changes.pushes import MESSAGES, REMARKS, after_reviews
from releaseops_mcp.world.changes.steps import place_of_tests
from releaseops_mcp.world.ci.collection import collect
from releaseops_mcp.world.ci.interpreter import FLAKY, WORKFLOW
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.kinds.base import Kind, Variant
from releaseops_mcp.world.kinds.bearing import bearing
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.rules.flake_budget import Budget
from releaseops_mcp.world.templates import Template

FAMILY = "flake_budget"
REPORT = "--junitxml=report.xml"


def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None:
    """Let a test need another try, within the run or by a second attempt, or let every test have many."""
    wanted = _settings(draft.org, draft.service)
    known, strange = _known(draft, draws), _strange(draft, draws)
    few, many = draws.integer(1, wanted.retries), wanted.retries + draws.integer(1, 3)
    test = strange if fault else known
    if variant == "reruns":
        _let_run_again(draft, many if fault else few)
    elif variant == "in-run":
        _let_run_again(draft, wanted.retries)
        draft.runs[-1] = replace(draft.runs[-1], flaky={test: few})
    elif variant == "first-attempt":
        tried_again(draft, {test: FLAKY})
    else:
        minute = after_reviews(draft, draws)
        about = _subject(draft.template, known)
        other = draws.choice(_others(draft, about))
        _push_remark(draft, about if fault else other, draws, minute)
        draft.move_evidence_to_head(minute + 40)
        tried_again(draft, {known: FLAKY})


def _let_run_again(draft: Draft, count: int) -> None:
    text = draft.head.tree[WORKFLOW]
    place = place_of_tests(text)
    assert place is not None
    line = place.line.replace(REPORT, f"--reruns {count} {REPORT}")
    draft.amend({WORKFLOW: text.replace(place.line, line)})


def _known(draft: Draft, draws: Draws) -> str:
    """Return a test that is known to be flaky, and tests nothing that the edit touches."""
    flaky = _tests(draft.org, draft.service, draft.template, known=True)
    return draws.choice([test for test in flaky if not _is_edited(draft, test)])


def _strange(draft: Draft, draws: Draws) -> str:
    """Return a test that nobody calls flaky: the one that guards the edit, where it is none of those."""
    tests = _tests(draft.org, draft.service, draft.template, known=False)
    drawn = draws.choice(tests)
    return draft.edit.guards if draft.edit.guards in tests else drawn


def _tests(org: Org, service: Service, template: Template, *, known: bool) -> list[str]:
    files = _settings(org, service).known
    found = (test.id for test in collect(template.base) if test.skipped is None)
    return [
        test
        for test in found
        if covered(files, test.partition("::")[0]) is known and (not known or _subject(template, test))
    ]


def _subject(template: Template, test: str) -> str:
    """Return the product file that a test is about; "" where none has its name."""
    path = f"{template.package}/{PurePosixPath(test.partition('::')[0]).stem.removeprefix('test_')}.py"
    return path if path in template.base else ""


def _is_edited(draft: Draft, test: str) -> bool:
    paths = {place.path for place in draft.edit.replace}
    return not paths.isdisjoint((test.partition("::")[0], _subject(draft.template, test)))


def _others(draft: Draft, about: str) -> list[str]:
    """Return product files that the edit leaves alone, other than `about`: those that another flaky test is about."""
    edited = {place.path for place in draft.edit.replace}
    prefix = f"{draft.template.package}/"
    code = [path for path in draft.template.base if path.startswith(prefix) and path not in (*edited, about)]
    flaky = {_subject(draft.template, test) for test in _tests(draft.org, draft.service, draft.template, known=True)}
    return [path for path in code if path in flaky] or code


def _push_remark(draft: Draft, path: str, draws: Draws, minute: int) -> None:
    first, _, rest = draft.head.tree[path].partition("\n")
    draft.push({path: f"{first}\n# {draws.choice(REMARKS)}\n{rest}"}, draws.choice(MESSAGES), minute)


def _settings(org: Org, service: Service) -> Budget:
    return Budget.model_validate(bearing(org, service, FAMILY)[0].params)


def _tells_apart(org: Org, service: Service, template: Template) -> bool:
    """Return whether some tests are called flaky and others are not, and every edit leaves one of the former alone."""
    known = _tests(org, service, template, known=True)
    subjects = {_subject(template, test) for test in known}
    edits = [{place.path for place in edit.replace} for edit in template.edits]
    left = all(
        any(test.partition("::")[0] not in paths and _subject(template, test) not in paths for test in known)
        for paths in edits
    )
    return bool(_settings(org, service).retries and subjects and left and _tests(org, service, template, known=False))


def _may_rerun(org: Org, service: Service, template: Template) -> bool:
    place = place_of_tests(template.base[WORKFLOW])
    return place is not None and REPORT in place.command and _tells_apart(org, service, template)


KIND = Kind(
    name="k10-retried",
    group="B",
    title="A test was tried until it passed",
    family=FAMILY,
    variants=(
        Variant("reruns", depth=1, differs=("patch", "log"), pages=1, fits=_may_rerun),
        Variant("in-run", depth=2, differs=("junit", "log"), pages=3, fits=_may_rerun),
        Variant("first-attempt", depth=3, differs=("junit", "log"), pages=3, fits=_tells_apart),
        Variant("touched", depth=4, differs=("patch", "commits", "reviews", "lcov"), pages=3, fits=_tells_apart),
    ),
    plant=plant,
)
