"""Reference judges: every rule family reads good and bad evidence in the real formats, apart from the generator.

`rules/FAMILY.yaml` holds a family's cases: a rule, what is proposed, the pages that have been read, and what the rule
must answer. The pages are written by hand as GitHub, git, pytest and so on write them.
"""

from collections import Counter
from pathlib import Path
from typing import Any, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict

from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.evidence.sheet import Topic, sheet_key
from releaseops_mcp.world.evidence.view import PartialView
from releaseops_mcp.world.exceptions import waived
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.orgs.model import Org, Rule
from releaseops_mcp.world.rules.base import Answer, Case
from releaseops_mcp.world.rules.registry import families

FOLDER = Path(__file__).with_name("rules")
LEAST = {"satisfied": 2, "violated": 2, "unknown": 1}
"""How many cases of each answer a family must have."""


class Part(BaseModel):
    """A piece of a case, strict about its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Page(Part):
    """One page that has been read."""

    tool: str
    artefact: str
    format: str
    text: str
    part: int = 1
    parts: int = 1


class Asked(Part):
    """The proposal."""

    request: str = "merge_change"
    refs: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()
    worker: str = "ci-fixer"
    claim: str = ""
    minute: int = 2000


class Written(Part):
    """One case of a fixture file."""

    name: str
    rule: Rule
    org: str = "cedarline"
    """Whose handbook it is; `rule` stands in place of its rules."""
    handbook: dict[str, Any] = {}
    """Parts of the handbook that are other than the organisation's, such as its people."""
    service: str = ""
    """A service of the organisation; its first one by default."""
    case: Asked
    pages: tuple[Page, ...] = ()
    expect: Literal["satisfied", "violated", "unknown", "waived"]


def _read(family: str) -> list[dict[str, Any]]:
    path = FOLDER / f"{family}.yaml"
    return yaml.safe_load(path.read_text()) or [] if path.exists() else []


FAMILIES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
CASES = [pytest.param(family, case, id=f"{family}-{case.get('name')}") for family in FAMILIES for case in _read(family)]


@pytest.mark.parametrize(("family", "written"), CASES)
def test_the_rule_answers_as_the_evidence_says(family: str, written: dict[str, Any]) -> None:
    given = Written.model_validate(written)
    assert given.rule.family == family, f"this case is in {family}.yaml: move it to {given.rule.family}.yaml"

    answer = _answer(given)

    assert answer.state == given.expect, (
        f"{family}.yaml, {given.name}: expected {given.expect}, but the rule says {answer.state}, "
        f"shown by {answer.grounds or 'nothing'}, missing {answer.missing or 'nothing'}"
    )
    if answer.state == "violated":
        assert answer.grounds, "what is violated must be shown by a page"
    if answer.state == "unknown":
        assert answer.missing, "what is unknown must say what to read"


@pytest.mark.parametrize("family", families())
def test_every_family_has_good_and_bad_evidence_and_some_that_is_missing(family: str) -> None:
    found = Counter(case["expect"] for case in _read(family))
    short = {state: f"{found[state]} of {least}" for state, least in LEAST.items() if found[state] < least}
    assert not short, f"tests/world/rules/{family}.yaml has too few cases: {short}"


def test_every_file_is_of_a_family_and_names_its_cases_once() -> None:
    assert set(FAMILIES) <= set(families())
    for family in FAMILIES:
        twice = [name for name, count in Counter(case["name"] for case in _read(family)).items() if count > 1]
        assert not twice, f"{family}.yaml: {twice} stand there twice"


def _answer(given: Written) -> Answer:
    org = load_org(given.org)
    # Through its written form, so that a case's own people and services are checked like those of a file.
    changed = {**org.model_dump(mode="json"), **given.handbook, "rules": [given.rule.model_dump(mode="json")]}
    handbook = Org.model_validate(changed)
    service = handbook.service(given.service or handbook.services[0].name)
    asked = given.case
    case = Case(
        handbook=handbook,
        request=asked.request,
        service=service,
        worker=asked.worker,
        claim=asked.claim,
        refs=asked.refs,
        touches=frozenset(asked.touches),
        minute=asked.minute,
    )
    view = _view(given.pages)
    return waived(given.rule, case, view, families()[given.rule.family].judge(given.rule, case, view))


def _view(pages: tuple[Page, ...]) -> PartialView:
    view, numbers = PartialView(), Counter[tuple[str, str]]()
    for page in pages:
        assert formats()[page.format].tool == page.tool, f"{page.format} is read with {formats()[page.format].tool}"
        numbers[page.tool, page.artefact] += 1
        source = sheet_key(page.tool, page.artefact, numbers[page.tool, page.artefact])
        view.add(Topic(page.format, page.artefact), page.text, page.part, page.parts, source)
    return view
