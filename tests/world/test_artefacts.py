"""Artefacts are the real thing: git and well-kept libraries read them, and they come back as the state they show."""

import json
import subprocess

import pytest
import unidiff
from junitparser import JUnitXml

from releaseops_mcp.world.artefacts.junit import CaseRecord
from releaseops_mcp.world.artefacts.patch import FileChange, PatchHead, file_diff
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.artefacts.ticket import TicketEventRecord, TicketRecord
from releaseops_mcp.world.evidence.sheet import Topic
from releaseops_mcp.world.hashing import blob_id, commit_id, tree_id
from releaseops_mcp.world.kinds.registry import kinds
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.templates import load_template, template_names
from tests.world.cases import pages, proposal

ORG = load_org("cedarline")
PAYMENTS = ORG.service("payments")
SKIPPED = kinds()["k01-skipped-test"]
PAGE_AT_MOST = 2_400


def write(folder, tree):
    for path, text in tree.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def git(folder, *words):
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("seed", range(3))
def test_git_applies_the_patch_and_gets_the_head(tmp_path, seed):
    template = load_template(PAYMENTS.template)
    lineage = proposal(ORG, PAYMENTS, SKIPPED, "platform", fault=True, seed=seed)
    write(tmp_path, template.base)
    git(tmp_path, "init", "-q")
    patch = tmp_path / "change.patch"
    patch.write_text("".join(pages(lineage.versions[0])["patch"]))
    git(tmp_path, "apply", "--check", patch.name)
    git(tmp_path, "apply", patch.name)
    edit = template.edits[seed]
    marked = [path for path in template.base if "pytest.mark.skip(" in (tmp_path / path).read_text()]
    assert len(marked) == 1
    for place in edit.replace:
        assert place.new.strip("\n").splitlines()[-1] in (tmp_path / place.path).read_text()


def test_ids_are_those_that_git_computes(tmp_path):
    tree = load_template("payments").base
    write(tmp_path, tree)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    assert git(tmp_path, "write-tree").strip() == tree_id(tree)
    assert git(tmp_path, "hash-object", "CODEOWNERS").strip() == blob_id(tree["CODEOWNERS"])
    commit = commit_id(tree_id(tree), (), "ines", 1_772_000_000, "First")
    raw = git(tmp_path, "cat-file", "-t", tree_id(tree)).strip()
    body = f"tree {tree_id(tree)}\nauthor ines <ines@users.invalid> 1772000000 +0000\n"
    body += "committer ines <ines@users.invalid> 1772000000 +0000\n\nFirst\n"
    (tmp_path / "raw").write_text(body)
    assert raw == "tree"
    assert git(tmp_path, "hash-object", "-t", "commit", "raw").strip() == commit


@pytest.mark.parametrize("name", template_names())
def test_unidiff_reads_every_page_as_our_parser_does(name):
    service = PAYMENTS.model_copy(update={"template": name})
    for seed in range(6):
        for text in pages(proposal(ORG, service, seed=seed).versions[0])["patch"]:
            ours = [record for record in formats()["patch"].parse("pr_1", text) if isinstance(record, FileChange)]
            theirs = unidiff.PatchSet(text)
            assert [change.path for change in ours] == [file.path for file in theirs]
            assert [len(change.added) for change in ours] == [file.added for file in theirs]
            assert [len(change.removed) for change in ours] == [file.removed for file in theirs]


def test_a_patch_names_its_head_its_base_and_its_files():
    version = proposal(ORG, PAYMENTS, seed=1).versions[0]
    first = formats()["patch"].parse("pr_400", pages(version)["patch"][0])[0]
    commits = json.loads(pages(version)["commits"][0])
    assert isinstance(first, PatchHead)
    assert first.head == commits[-1]["sha"]
    assert first.files == ("payments/gateway.py", "tests/test_gateway.py")
    assert first.title == "Tell callers how often the gateway was asked"


@pytest.mark.parametrize(
    ("old", "new", "mark"),
    [(None, "a\n", "new file mode"), ("a\n", None, "deleted file mode"), ("a\n", "a", "\\ No newline at end of file")],
)
def test_a_diff_says_what_happened_to_the_file(old, new, mark):
    text = file_diff("x.txt", old, new)
    assert mark in text
    assert len(unidiff.PatchSet(text)) == 1


def test_junitparser_reads_the_report_as_our_parser_does():
    version = proposal(ORG, PAYMENTS, SKIPPED, "guarded", fault=True).versions[0]
    for text in pages(version)["junit"]:
        ours = [record for record in formats()["junit"].parse("ci_1", text) if isinstance(record, CaseRecord)]
        theirs = [case for suite in JUnitXml.fromstring(text.encode()) for case in suite]
        assert [test.id.rpartition("::")[2] for test in ours] == [case.name for case in theirs]
        assert [test.outcome == "skipped" for test in ours] == [case.is_skipped for case in theirs]


def test_a_ticket_comes_back_with_its_history():
    version = proposal(ORG, PAYMENTS, SKIPPED, "waiver", fault=False).versions[0]
    record, event = formats()["ticket"].parse("ticket_400", pages(version)["ticket"][0])
    assert isinstance(record, TicketRecord)
    assert (record.state, record.labels, record.component) == ("open", ("quarantine",), "payments")
    assert isinstance(event, TicketEventRecord)
    assert (event.event, event.label) == ("labeled", "quarantine")
    assert ORG.person(event.actor).teams == ("team-payments",)


def test_a_text_of_another_format_is_refused():
    with pytest.raises(ValueError, match="not a patch"):
        formats()["patch"].parse("pr_1", "hello")
    with pytest.raises(ValueError, match="not a JUnit report"):
        formats()["junit"].parse("ci_1", "hello")
    with pytest.raises(ValueError, match="not a line of a job log"):
        formats()["log"].parse("ci_1", "hello")


def test_a_page_is_short_and_says_which_part_it_is():
    for seed in range(6):
        for artefact in proposal(ORG, PAYMENTS, seed=seed).versions[0].artefacts.values():
            for sheet in artefact.sheets:
                assert len(sheet.text) <= PAGE_AT_MOST
                assert 1 <= sheet.part <= sheet.parts
                assert sheet.topic == Topic(sheet.topic.format, artefact.id)
                assert formats()[sheet.topic.format].tool == artefact.tool
