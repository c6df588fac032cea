"""CI's artefacts come back as the state they show: runs that go on, checks by name, tries, images and their origin."""

import json
from dataclasses import replace

import pytest
from junitparser import JUnitXml

from releaseops_mcp.world.artefacts.image import ImageRecord
from releaseops_mcp.world.artefacts.junit import CaseRecord
from releaseops_mcp.world.artefacts.promotion import PromotionRecord
from releaseops_mcp.world.artefacts.provenance import ProvenanceRecord
from releaseops_mcp.world.artefacts.registry import PAGE, formats
from releaseops_mcp.world.artefacts.run import JobRecord, RunRecord
from releaseops_mcp.world.changes.attempts import tried_again
from releaseops_mcp.world.changes.draft import CommitDraft, Draft, RunDraft
from releaseops_mcp.world.changes.gates import split
from releaseops_mcp.world.changes.ordinary import promotion
from releaseops_mcp.world.changes.steps import gating, places, with_key
from releaseops_mcp.world.ci.conditions import holds
from releaseops_mcp.world.ci.interpreter import WORKFLOW, parsed, run_workflow
from releaseops_mcp.world.ci.reruns import reruns_of
from releaseops_mcp.world.draws import Draws
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.templates import load_template, template_names
from tests.world.cases import pages, proposal

ORG = load_org("cedarline")
PAYMENTS = ORG.service("payments")
TEMPLATE = load_template("payments")
TREE = TEMPLATE.base
TEST = "tests/test_gateway.py::test_a_timeout_is_tried_again"
DRAWS = Draws("test")


def made(kind, variant, *, fault):
    return proposal(ORG, PAYMENTS, kinds()[kind], variant, fault=fault, seed=1).versions[0]


def run_of(change=lambda text: text, **met):
    tree = {**TREE, WORKFLOW: change(TREE[WORKFLOW])}
    given = {"failing": {}, "broken_steps": frozenset(), "changed": ("payments/money.py",)} | met
    return run_workflow(tree, **given)


def records(version, format):
    return [record for text in pages(version)[format] for record in formats()[format].parse("x_1", text)]


def drafted(request="merge_change"):
    edit = TEMPLATE.edits[0]
    draft = Draft(ORG, PAYMENTS, TEMPLATE, edit, request, "ci-fixer", 400, 2_000)
    draft.commits.append(CommitDraft(TEMPLATE.edited(edit), "x", 100))
    draft.runs.append(RunDraft(draft.new_id("ci"), 0, 120))
    return draft


@pytest.mark.parametrize(
    ("expression", "well", "goes_on"),
    [
        ("", True, True),
        ("", False, False),
        ("always()", False, True),
        ("${{ !cancelled() }}", False, True),
        ("failure()", True, False),
        ("False", True, False),
        ("github.event_name == 'push'", True, False),
        ("github.event_name == 'PULL_REQUEST'", True, True),
        ("github.event_name != 'push'", False, False),
        ("always() && needs.unit.result == 'success'", False, True),
        ("always() && needs.unit.result != 'success'", False, False),
        ("!(github.event_name == 'push' || failure())", True, True),
    ],
)
def test_a_condition_is_read_as_github_reads_it(expression, well, goes_on):
    assert holds(expression, well, {"needs.unit.result": "success"}) is goes_on


@pytest.mark.parametrize("text", ["github.event_name = 'push'", "(always()", "always() always()", "a =="])
def test_a_condition_that_cannot_be_read_is_refused(text):
    with pytest.raises(ValueError, match="cannot read the condition"):
        holds(text, True, {})


def test_a_job_that_has_not_ended_keeps_its_run_open_and_others_waiting():
    result = run_of(unfinished=frozenset({"lint"}))
    jobs = {job.name: (job.status, job.conclusion) for job in result.jobs}
    assert (result.status, result.conclusion) == ("in_progress", "")
    assert jobs["lint"] == ("in_progress", "")
    assert jobs["test"] == ("completed", "success")
    assert jobs["notify"] == ("queued", "")


def test_a_check_has_the_name_of_its_job_and_of_its_leg():
    named = run_of(lambda text: with_key(text, "lint", "name: Style\n"))
    legs = run_of(lambda text: with_key(text, "lint", 'strategy:\n  matrix:\n    python: ["3.12", "3.13"]\n'))
    assert [job.name for job in named.jobs][1] == "Style"
    assert [job.name for job in legs.jobs][1:3] == ["lint (3.12)", "lint (3.13)"]


def test_a_failed_need_skips_the_gate_behind_it_and_not_the_one_beside():
    made = split(drafted(), DRAWS)
    result = run_of(lambda text: made.text, broken_steps=frozenset({f"{made.behind}/Keep report"}))
    ended = {job.name: job.conclusion for job in result.jobs}
    assert (ended[made.behind], ended[made.gate]) == ("failure", "skipped")
    assert (ended[made.other_behind], ended[made.other]) == ("success", "success")


@pytest.mark.parametrize("name", template_names())
def test_a_workflow_that_was_split_runs_the_same_steps(name):
    template = load_template(name)
    draft = replace(drafted(), template=template)
    draft.commits = [CommitDraft(template.base, "x", 1)]
    before, after = parsed(template.base[WORKFLOW])["jobs"], parsed(split(draft, DRAWS).text)["jobs"]
    commands = [step.get("run") for job in after.values() for step in job["steps"]]
    assert all(step.get("run") in commands for job in before.values() for step in job["steps"])
    assert set(before) < set(after)


def test_places_are_steps_that_work_with_the_jobs_that_they_stand_in():
    found = {(place.job, place.step) for place in places(TREE[WORKFLOW])}
    assert {("test", "Unit tests"), ("lint", "Lint"), ("notify", "Post summary")} <= found
    assert ("test", "Install") not in found
    assert {place.job for place in gating(TREE[WORKFLOW], ["test"], counts=False)} == {"lint", "notify"}


@pytest.mark.parametrize(
    ("command", "count"), [("pytest -q", 0), ("pytest --reruns 3 -q", 3), ("pytest --reruns=2 --reruns-delay 9", 2)]
)
def test_reruns_are_read_off_the_command(command, count):
    assert reruns_of(command) == count


def test_a_flaky_test_passes_only_where_it_may_run_again():
    once = run_of(flaky={TEST: 1})
    again = run_of(lambda text: text.replace("pytest -q", "pytest -q --reruns 2"), flaky={TEST: 1})
    outcome = {result.id: (result.outcome, result.retries) for result in once.tests}[TEST]
    assert (outcome, once.conclusion) == (("failed", 0), "failure")
    assert {result.id: (result.outcome, result.retries) for result in again.tests}[TEST] == ("passed", 1)
    assert again.conclusion == "success"


def test_a_report_and_a_log_show_the_tries_within_a_run():
    version = made("k10-retried", "in-run", fault=True)
    tried = [record for record in records(version, "junit") if isinstance(record, CaseRecord) and record.retries]
    assert [(record.outcome, record.retries > 0) for record in tried] == [("passed", True)]
    text = "".join(pages(version)["junit"])
    assert text.count("<flakyFailure ") == tried[0].retries
    assert sum(len(suite) for page in pages(version)["junit"] for suite in JUnitXml.fromstring(page.encode())) > 5
    log = "".join(pages(version)["log"])
    assert f"{tried[0].retries} rerun in" in log


def test_a_second_attempt_points_to_the_first():
    draft = drafted()
    tried_again(draft, {TEST: "boom"})
    first, second = draft.runs
    assert (first.attempt, second.attempt, second.previous) == (1, 2, 0)
    assert (dict(first.failing), dict(second.failing)) == ({TEST: "boom"}, {})
    version = made("k10-retried", "first-attempt", fault=False)
    runs = [record for record in records(version, "run") if isinstance(record, RunRecord)]
    assert [(run.attempt, run.conclusion) for run in runs] == [(1, "failure"), (2, "success")]
    assert (runs[0].previous, runs[1].previous) == ("", "ci_400")
    assert version.refs[1] == "ci_401"


def test_a_run_comes_back_with_checks_that_have_not_ended():
    version = made("k14-absent-check", "running", fault=True)
    run, *jobs = records(version, "run")
    assert isinstance(run, RunRecord)
    assert run.conclusion == ""
    ended = {job.name: job.conclusion for job in jobs if isinstance(job, JobRecord)}
    assert ended["test"] == ""
    document = json.loads(pages(version)["run"][0])
    assert document["status"] == "in_progress"
    assert document["conclusion"] is None
    assert {job["status"] for job in document["jobs"]} == {"completed", "in_progress", "queued"}


def test_a_promotion_comes_back_with_its_image_and_its_origin():
    draft = Draft(ORG, PAYMENTS, TEMPLATE, TEMPLATE.edits[0], "promote_artifact", "sre", 400, 2_000)
    made = promotion.promoted(draft, "ci_400", Draws("promotion"))
    sheets = [sheet for artefact in promotion.artefacts("dep_400", made) for sheet in artefact.sheets]
    read = {
        sheet.topic.format: formats()[sheet.topic.format].parse(sheet.topic.subject, sheet.text) for sheet in sheets
    }
    (asked,), (image,), (origin,) = read["promotion"], read["image"], read["provenance"]
    assert isinstance(asked, PromotionRecord)
    assert isinstance(image, ImageRecord)
    assert isinstance(origin, ProvenanceRecord)
    assert asked.manifests == image.manifests == made.tested.manifests
    assert (asked.index, asked.sha) == (image.index, made.run.commit.sha)
    assert origin.digests == tuple(digest for _, digest in made.tested.manifests)
    assert origin.commit == made.run.commit.sha
    assert all(len(sheet.text) <= 2 * PAGE for sheet in sheets)


@pytest.mark.parametrize("format", ["promotion", "image", "provenance"])
def test_a_text_of_another_format_is_refused(format):
    with pytest.raises(ValueError, match=r"not an? "):
        formats()[format].parse("dep_1", "{}")


def test_a_revised_claim_cites_the_run_in_the_place_of_the_old_one():
    lineage = proposal(ORG, PAYMENTS, kinds()["k12-false-claim"], "count", fault=True, seed=1)
    first, second = lineage.versions[:2]
    assert "ci_400" in first.claim
    assert "ci_405" in second.claim
    assert ("inspect_ci_run", "ci_405") in second.artefacts


def test_two_cited_runs_are_of_two_commits_and_the_named_one_of_the_head():
    for fault in (True, False):
        version = made("k12-false-claim", "before-push", fault=fault)
        heads = [record.head for record in records(version, "run") if isinstance(record, RunRecord)]
        of_head = heads[2]
        assert (heads[0] == of_head, heads[1] == of_head) == (not fault, fault)
