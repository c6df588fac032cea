"""The gate reads short: nothing that a rule reads is lost, and most level 1 and 2 episodes fit 4,096 tokens."""

from pathlib import Path
from statistics import median
from typing import Any

import pytest
from transformers.utils import chat_template_utils

from releaseops_mcp.agents.registry import find_supervisor
from releaseops_mcp.agents.runner import turn_of
from releaseops_mcp.episodes.gate import SUITE
from releaseops_mcp.episodes.gate.splits import names
from releaseops_mcp.simulation import Simulation
from releaseops_mcp.world.artefacts.patch import file_diff
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.orgs import handbook
from releaseops_mcp.world.orgs.loader import load_org, org_names
from tests.world.cases import scenarios
from training.models.corpus import played
from training.models.templates import chat_template
from training.rendering.gate_pages import compact, short
from training.rendering.registry import rendering_of

SCENARIO = "gate/cedarline/k01-skipped-test/level-2/seed-3"
TOKENIZER = Path("/tmp/smollm2/tokenizer.json")
LIMIT = 4_096
_TEMPLATES: Any = chat_template_utils


def sheets(seeds: range):
    for name in scenarios(*seeds, homes=3):
        for lineage in generate(name).lineages:
            for version in lineage.versions:
                for artefact in version.artefacts.values():
                    yield from artefact.sheets


def test_pages_that_differ_in_what_they_say_read_differently():
    seen: dict[str, tuple[object, str]] = {}
    for sheet in sheets(range(1)):
        records = formats()[sheet.topic.format].parse(sheet.topic.subject, sheet.text)
        text = f"{sheet.topic} {sheet.part} {compact(sheet.topic.format, sheet.text)}"
        known, other = seen.setdefault(text, (records, sheet.text))
        assert known == records, f"{sheet.topic.format}\n{sheet.text}\n--\n{other}"
    assert {text.split("'")[1] for text in seen} == {sheet.topic.format for sheet in sheets(range(1))}


def test_every_page_is_shorter_and_most_are_half_as_long():
    shares = [len(compact(sheet.topic.format, sheet.text)) / len(sheet.text) for sheet in sheets(range(1))]
    assert max(shares) < 1
    assert median(shares) < 0.6


@pytest.mark.parametrize("org", org_names())
def test_the_handbook_keeps_every_name_and_figure(org):
    document = load_org(org)
    text = "\n".join(compact("", page) for page in handbook.pages_of(document))
    for rule in document.public.rules:
        assert f"{rule.id} {rule.severity} {rule.family}" in text
        assert all(str(value) in text for value in rule.params.values() if isinstance(value, int) and value > 1)
    for person in document.people:
        assert person.id in text
        assert all(worker in text for worker in person.operator_of)
    for waiver in document.exceptions:
        assert waiver.label in text


def test_a_workflow_keeps_the_lines_that_name_a_step():
    steps = "jobs:\n  test:\n    steps:\n      - name: Unit tests\n        run: pytest -q\n"
    text = compact("patch", file_diff(".github/workflows/ci.yml", steps, steps.replace("-q", "-q || true")))
    assert text.startswith(".github/workflows/ci.yml:")
    assert "- name: Unit tests" in text
    assert "+        run: pytest -q || true" in text


def test_code_keeps_the_function_that_a_changed_line_stands_beside():
    code = "import pytest\n\n\ndef test_sums():\n    total = 3\n    assert total == 3\n"
    text = compact("patch", file_diff("tests/test_sums.py", code, code.replace("def", "@pytest.mark.skip\ndef")))
    assert text == "tests/test_sums.py:\n+@pytest.mark.skip\n def test_sums():"


def test_what_bears_on_other_services_alone_is_left_out_of_the_handbook():
    document = load_org("mossgate")
    service, other = document.services[0].name, document.services[-1].name
    text = "\n".join(compact("", page, service) for page in handbook.pages_of(document))
    ours = [rule for rule in document.public.rules if not rule.scope.services or service in rule.scope.services]
    assert 0 < len(ours) < len(document.public.rules)
    for rule in document.public.rules:
        assert (f"{rule.id} {rule.severity}" in text) == (rule in ours)
    assert f"\n{service} tier" in text
    assert f"\n{other} tier" not in text


def test_commit_ids_and_times_are_cut_and_nothing_else():
    sha = "0123456789abcdef0123456789abcdef01234567"
    assert short(f"at {sha} 2026-03-02T10:05:00Z, 20 of 40") == "at 0123456 2T10:05, 20 of 40"
    assert short("2026-02-28T09:00:00Z 2025-12-31T23:59:00Z") == "2-28T09 2025-12-31T23:59"
    assert short("2026-03-06T15:00:00-05:00") == "6T15-05"
    assert short(f"sha256:{sha}0123") == "0123456"


def test_a_document_that_is_none_is_left_as_it_is():
    assert compact("telemetry", "just: [words") == "just: [words"


def test_an_episode_reads_from_first_to_last():
    rendering, simulation = rendering_of("gate"), Simulation.of(SCENARIO)
    before = simulation.first_observation
    assert all(proposal["claim"] in rendering.first(before) for proposal in before["proposals"])

    def later(tool: str, **arguments: Any) -> str:
        nonlocal before
        judged = simulation.call(tool, arguments)
        turn = turn_of(judged)
        text, before = rendering.later(before, turn), judged.observation
        return text

    proposal = before["proposals"][0]
    assert later("read_policy").startswith("1/")
    pr = proposal["refs"][0]
    page = later("inspect_pr_diff", pr_id=pr)
    assert page.startswith("patch 1/")
    assert "nothing changed" not in later("inspect_pr_diff", pr_id=pr)
    assert "answer:" in later("ask_worker", worker_id=proposal["worker"], question_type="risk_summary")
    assert later("inspect_pr_diff", pr_id="pr_0").startswith("refused: unknown_artifact")
    assert f"{proposal['id']} approved" in later("approve_proposal", proposal_id=proposal["id"])
    assert later("refuse_release", reason_code="policy_forbids").endswith("over: refused")


@pytest.mark.skipif(not TOKENIZER.exists(), reason="SmolLM2's tokenizer is not unpacked at /tmp/smollm2")
@pytest.mark.parametrize(("level", "most"), [(1, 3_500), (2, LIMIT)])
def test_most_episodes_of_the_lower_levels_fit(level, most):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    lengths = []
    for name in list(names(range(1), (level,)))[::9]:
        talk = played(SUITE, name.id, find_supervisor("reference", "gate"), 0, most=80)
        rendered: Any = _TEMPLATES.render_jinja_template(conversations=[talk], chat_template=chat_template())
        lengths.append(len(tokenizer.encode(rendered[0][0], add_special_tokens=False).ids))
    assert median(lengths) <= most
