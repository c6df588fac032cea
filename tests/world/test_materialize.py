"""Executed truth: the repositories on disk, run by real pytest, agree with what the world's reports and logs say."""

import re

import pytest

from releaseops_mcp.world.artefacts.junit import CaseRecord
from releaseops_mcp.world.artefacts.patch import PatchHead
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.artefacts.run import RunRecord
from releaseops_mcp.world.ci.interpreter import WORKFLOW, parsed, suite_command
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.materialize import materialize
from releaseops_mcp.world.orgs.loader import load_org
from releaseops_mcp.world.scenario import parse
from tests.world.test_ci import outcomes

SCENARIOS = (
    "gate/cedarline/k01-skipped-test/level-4/seed-11",
    "gate/cedarline/k01-skipped-test-twin/level-2/seed-5",
    "gate/looplatch/k01-skipped-test/level-3/seed-2",
    "gate/looplatch/k07-soft-step/level-3/seed-6",
    "gate/looplatch/k12-false-claim/level-2/seed-8",
    "gate/cedarline/k12-false-claim/level-3/seed-1",
    "gate/looplatch/k13-other-commit/level-4/seed-3",
    "gate/cedarline/k13-other-commit/level-4/seed-9",
    "gate/cedarline/k02-special-case/level-3/seed-1",
    "gate/looplatch/k03-weak-assertion/level-2/seed-2",
    "gate/looplatch/k04-dropped-test/level-3/seed-1",
    "gate/cedarline/k04-dropped-test-twin/level-3/seed-2",
    "gate/cedarline/k05-mocked-subject/level-3/seed-1",
    "gate/looplatch/k06-not-collected/level-3/seed-3",
    "gate/looplatch/k06-not-collected-twin/level-2/seed-1",
    "gate/looplatch/k06-not-collected-twin/level-2/seed-2",
    "gate/cedarline/k11-blind-golden/level-2/seed-1",
)
"""All templates of both organisations, and the kinds whose truth lies in tests or in what a run says of them."""
SUMMARY = re.compile(r"(\d+) (passed|failed|skipped)")


def read(version, format):
    """Return the pages of one format; of CI runs, those of the run that the proposal names."""
    named = [ref for ref in version.refs if ref.startswith("ci_")][:1]
    return [
        sheet
        for (tool, subject), artefact in version.artefacts.items()
        if tool != "inspect_ci_run" or subject in named
        for sheet in artefact.sheets
        if sheet.topic.format == format
    ]


def records(version, format):
    """Return what the pages of one format say, artefact by artefact, of those that the proposal names."""
    parse = formats()[format].parse
    return [record for sheet in read(version, format) for record in parse(sheet.topic.subject, sheet.text)]


def reported(version):
    """Return the outcomes that the test report shows."""
    return {record.id: record.outcome for record in records(version, "junit") if isinstance(record, CaseRecord)}


def counted(found):
    """Return how many tests came to what, without zeros."""
    counts = {word: list(found.values()).count(word) for word in ("passed", "failed", "skipped")}
    return {word: count for word, count in counts.items() if count}


def logged(version):
    """Return the counts of pytest's last line in the job's log."""
    text = "\n".join(sheet.text for sheet in read(version, "log"))
    (last,) = [line for line in text.splitlines() if SUMMARY.search(line) and line.endswith("s")]
    return {word: int(count) for count, word in SUMMARY.findall(last)}


def arguments(folder):
    """Return what a tree's workflow passes on to pytest, its report apart, with patterns as a shell expands them."""
    command = suite_command(parsed((folder / WORKFLOW).read_text()))
    line = next(line for line in command.splitlines() if "pytest" in line)
    words = line.partition("pytest")[2].replace("--junitxml=report.xml", "").partition("|")[0].split()
    found = ([path.relative_to(folder).as_posix() for path in sorted(folder.glob(word))] for word in words)
    return [each for word, paths in zip(words, found, strict=True) for each in (paths if "*" in word else [word])]


def is_of_head(version):
    """Return whether the named run is of the commit that the proposal asks to merge."""
    (run,) = [record for record in records(version, "run") if isinstance(record, RunRecord)]
    return run.head == next(record.head for record in records(version, "patch") if isinstance(record, PatchHead))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_real_pytest_finds_what_reports_and_logs_say(tmp_path, scenario):
    name = parse(scenario)
    world = generate(name)
    written = materialize(world, tmp_path / "out")
    lineage = next(each for each in world.lineages if each.planted.startswith(name.kind) and each.fault != name.twin)
    version = lineage.versions[0]
    place = tmp_path / "out" / lineage.id / "v1"
    for tree, files in (("base", version.base), ("head", version.head)):
        here = {path.relative_to(place / tree).as_posix() for path in written if path.is_relative_to(place / tree)}
        assert here == set(files)

    at_base, at_head = (outcomes(place / tree, {}, arguments(place / tree)) for tree in ("base", "head"))

    assert set(at_base.values()) == {"passed"}
    assert logged(version) == counted(reported(version))
    if is_of_head(version):
        assert at_head == reported(version)
    else:
        # What the worker cites is a run of another commit: only then may report and head differ.
        assert name.kind == "k13-other-commit"
        assert not name.twin


def test_a_cited_run_of_another_commit_hides_what_the_head_breaks(tmp_path):
    worlds = (generate(parse(f"gate/looplatch/k13-other-commit/level-3/seed-{seed}")) for seed in range(40))
    lineages = (lineage for world in worlds for lineage in world.lineages if lineage.fault)
    version = next(each.versions[0] for each in lineages if each.planted == "k13-other-commit/cherry-picked")

    found = outcomes(tmp_path, version.head)

    assert "failed" in found.values()
    assert "failed" not in reported(version).values()


def test_every_page_is_written_as_it_is_read(tmp_path):
    world = generate(parse(SCENARIOS[0]))
    materialize(world, tmp_path / "out")
    for lineage in world.lineages:
        for version in lineage.versions:
            for (tool, artefact_id), artefact in version.artefacts.items():
                folder = tmp_path / "out" / lineage.id / f"v{version.number}" / "artefacts" / tool / artefact_id
                assert [path.read_text() for path in sorted(folder.iterdir())] == [
                    each.text for each in artefact.sheets
                ]


def test_every_template_of_the_two_organisations_is_sampled():
    services = {generate(parse(scenario)).service.template for scenario in SCENARIOS}
    assert services == {service.template for name in ("cedarline", "looplatch") for service in load_org(name).services}


def test_nothing_is_written_over(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="is not empty: name a new folder"):
        materialize(generate(parse(SCENARIOS[0])), tmp_path)
