"""Executed truth: the repositories on disk, run by real pytest, agree with what the world's reports say."""

import pytest

from releaseops_mcp.world.artefacts.junit import CaseRecord
from releaseops_mcp.world.artefacts.registry import formats
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.materialize import materialize
from releaseops_mcp.world.scenario import parse
from tests.world.test_ci import outcomes

SCENARIOS = ("gate/cedarline/k01-skipped-test/level-4/seed-11", "gate/looplatch/k12-false-claim/level-2/seed-8")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_real_pytest_finds_what_the_reports_say(tmp_path, scenario):
    world = generate(parse(scenario))
    materialize(world, tmp_path / "out")
    for lineage in world.lineages:
        version = lineage.versions[0]
        if version.head is None:
            continue
        reported = {
            record.id: record.outcome
            for artefact in version.artefacts.values()
            for sheet in artefact.sheets
            if sheet.topic.format == "junit"
            for record in formats()["junit"].parse(artefact.id, sheet.text)
            if isinstance(record, CaseRecord)
        }
        place = tmp_path / "out" / lineage.id / "v1" / "head"
        assert {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()} == set(version.head)
        assert outcomes(place, {}) == reported


def test_nothing_is_written_over(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="is not empty: name a new folder"):
        materialize(generate(parse(SCENARIOS[0])), tmp_path)
