"""What is read about tests beside their report: function coverage, property checks, and files that a patch renames."""

import pytest
import unidiff
from junitparser import JUnitXml

from releaseops_mcp.world.artefacts.lcov import FunctionHits
from releaseops_mcp.world.artefacts.patch import FileChange
from releaseops_mcp.world.artefacts.properties import PropertyRecord
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.ci.modules import module
from releaseops_mcp.world.kinds.k02_special_case import KIND as SPECIAL_CASE
from releaseops_mcp.world.kinds.k04_dropped_test import KIND as DROPPED_TEST
from releaseops_mcp.world.kinds.k05_mocked_subject import KIND as MOCKED_SUBJECT
from releaseops_mcp.world.kinds.k06_not_collected import KIND as NOT_COLLECTED
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.templates import load_template
from tests.world.cases import pages, proposal
from tests.world.test_artefacts import git, write

ORG = load_org("cedarline")
PAYMENTS = ORG.service("payments")
SOURCE = '''"""Doc."""
import functools


class P:
    """Doc."""

    def __init__(self):
        self.a = 1

    @property
    def free(self):
        """Doc."""
        return self.a

    def refund(self, x):
        return x


def f(x):
    """Doc."""
    return x
'''
MEASURED = """TN:
SF:m.py
DA:2,1
DA:17,0
LF:13
LH:11
FN:8,9,P.__init__
FNDA:1,P.__init__
FN:12,14,P.free
FNDA:1,P.free
FN:16,17,P.refund
FNDA:0,P.refund
FN:20,22,f
FNDA:1,f
FNF:4
FNH:3
end_of_record
"""
"""What `coverage lcov` of coverage.py 7.17.5 wrote of SOURCE, most of its lines left out."""


def read(version, format):
    subject = {"lcov": "ci_400", "properties": "ci_400", "patch": "pr_400"}[format]
    return [record for text in pages(version)[format] for record in formats()[format].parse(subject, text)]


def test_a_tracefile_of_coverage_is_read_as_it_was_measured():
    found = formats()["lcov"].parse("ci_1", MEASURED)
    assert [(each.function, each.hits) for each in found] == [
        ("P.__init__", 1),
        ("P.free", 1),
        ("P.refund", 0),
        ("f", 1),
    ]


def test_functions_are_named_and_placed_as_coverage_does():
    measured = {each.function: (each.first, each.last) for each in formats()["lcov"].parse("ci_1", MEASURED)}
    assert {each.name: (each.first, each.last) for each in module("m.py", SOURCE).functions.values()} == measured


def test_coverage_tells_new_tests_apart_by_what_they_enter():
    for fault in (True, False):
        version = proposal(ORG, PAYMENTS, MOCKED_SUBJECT, "double", fault=fault, seed=1).versions[0]
        hits = [each for each in read(version, "lcov") if isinstance(each, FunctionHits)]
        assert {each.path for each in hits} == {"payments/gateway.py"}
        told = {each.test: each.hits for each in hits if each.function == "charge"}
        assert told.pop("test_every_attempt_is_told") == 1
        assert list(told.values()) == [0 if fault else 1]


def test_coverage_is_of_new_and_rewritten_tests_alone():
    version = proposal(ORG, PAYMENTS, seed=2).versions[0]
    assert {each.test for each in read(version, "lcov")} == {"test_dinars_have_three_digits"}


def test_a_tracefile_without_tests_has_an_empty_section():
    assert formats()["lcov"].parse("ci_1", "TN:\nend_of_record\n") == ()


def test_junitparser_reads_the_property_checks():
    version = proposal(ORG, PAYMENTS, SPECIAL_CASE, "in-place", fault=True, seed=1).versions[0]
    (text,) = pages(version)["properties"]
    ours = [each for each in read(version, "properties") if isinstance(each, PropertyRecord)]
    theirs = [case for suite in JUnitXml.fromstring(text.encode()) for case in suite]
    assert [each.name for each in ours] == [case.name for case in theirs]
    assert [each.holds for each in ours] == [case.is_passed for case in theirs]
    assert {each.path for each in ours} <= set(load_template("payments").base)
    assert all(each.example for each in ours if not each.holds)


@pytest.mark.parametrize("seed", range(2))
def test_git_takes_a_renamed_file_as_it_is_written(tmp_path, seed):
    version = proposal(ORG, PAYMENTS, NOT_COLLECTED, "file-name", fault=True, seed=seed).versions[0]
    text = "".join(pages(version)["patch"])
    write(tmp_path, version.base)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    (tmp_path / "change.patch").write_text(text)

    git(tmp_path, "apply", "--index", "change.patch")

    tracked = git(tmp_path, "ls-files").split()
    assert set(tracked) == set(version.head)
    assert all((tmp_path / path).read_text() == version.head[path] for path in tracked)
    (moved,) = [each for each in read(version, "patch") if isinstance(each, FileChange) and each.status == "renamed"]
    assert (moved.source in version.base, moved.path in version.head) == (True, True)
    assert [file.path for file in unidiff.PatchSet(text) if file.is_rename] == [moved.path]


def test_git_finds_the_same_renames(tmp_path):
    version = proposal(ORG, PAYMENTS, NOT_COLLECTED, "file-name", fault=False, seed=3).versions[0]
    write(tmp_path, version.base)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@b.invalid", "commit", "-qm", "base")
    for path in set(version.base) - set(version.head):
        (tmp_path / path).unlink()
    write(tmp_path, version.head)
    git(tmp_path, "add", "-A")
    status = git(tmp_path, "diff", "--cached", "-M100%", "--name-status").splitlines()
    (moved,) = [each for each in read(version, "patch") if isinstance(each, FileChange) and each.status == "renamed"]
    assert f"R100\t{moved.source}\t{moved.path}" in status


def test_a_dropped_test_leaves_a_patch_that_git_takes(tmp_path):
    version = proposal(ORG, PAYMENTS, DROPPED_TEST, "with-product", fault=False, seed=0).versions[0]
    write(tmp_path, version.base)
    git(tmp_path, "init", "-q")
    (tmp_path / "change.patch").write_text("".join(pages(version)["patch"]))
    git(tmp_path, "apply", "change.patch")
    assert all((tmp_path / path).read_text() == text for path, text in version.head.items())


def test_texts_of_other_formats_are_refused():
    with pytest.raises(ValueError, match="not an LCOV tracefile"):
        formats()["lcov"].parse("ci_1", "hello")
    with pytest.raises(ValueError, match="not a report of property checks"):
        formats()["properties"].parse("ci_1", "hello")
