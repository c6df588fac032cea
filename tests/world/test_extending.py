"""docs/extending.md: its four files, put into a copy of the package, make worlds that keep the laws of a kind."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "extending.md"
FILE = re.compile(r"^`([\w./]+)`(?:, anywhere)?:\n\n```(?:py|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = """
from pathlib import Path
from releaseops_mcp.world.generation import generate
from releaseops_mcp.world.kinds.registry import plantable
from releaseops_mcp.world.materialize import materialize
from releaseops_mcp.world.orgs.loader import install_org
from releaseops_mcp.world.scenario import parse
from releaseops_mcp.simulation import Simulation

org = install_org(Path("quillwork.yaml"))
print(*(kind.name for kind in plantable(org)))
for kind in plantable(org):
    for level in (1, 3, 5):
        for seed in range(2):
            first = []
            for end in ("", "-twin"):
                name = f"gate/quillwork/{kind.name}{end}/level-{level}/seed-{seed}"
                world = generate(parse(name))
                for lineage in world.lineages:
                    verdict = world.verdict(lineage, lineage.versions[0], lineage.appears)
                    bad = lineage.fault or lineage.torn
                    assert (verdict.decision == "approve") != bad, (name, lineage.planted, verdict)
                first.append(Simulation.of(name).first_observation)
            assert first[0] == first[1], name
for path in materialize(generate(parse("gate/quillwork/k90-unfinished/level-1/seed-0")), Path("world")):
    if path.name == "CODEOWNERS":
        print(path.parent)
"""


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package in which the page's files lie where the page says."""
    folder = tmp_path_factory.mktemp("extended")
    unread = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "releaseops_mcp", folder / "releaseops_mcp", ignore=unread)
    for name, text in FILE.findall(PAGE.read_text()):
        assert not (folder / name).exists(), f"{name} is there already"
        (folder / name).write_text(text)
    return folder


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env={"PYTHONPATH": str(folder)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_has_a_template_a_family_a_kind_and_an_organisation() -> None:
    assert [Path(name).parent.name for name, _ in FILE.findall(PAGE.read_text())] == ["templates", "rules", "kinds", ""]


def test_its_files_make_worlds_that_keep_the_laws(extended: Path) -> None:
    kinds, *trees = run(extended, "-c", PROGRAM).splitlines()

    assert "k90-unfinished" in kinds.split()
    assert "k01-skipped-test" in kinds.split()
    assert len(trees) >= 2
    for tree in trees[:2]:
        assert "passed" in run(extended / tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=.")


def test_the_command_line_takes_the_organisation(extended: Path) -> None:
    listed = run(
        extended,
        "-m",
        "releaseops_mcp.cli",
        "scenarios",
        "list",
        "--suite",
        "gate",
        "--limit",
        "400",
        "--org",
        "quillwork.yaml",
    )

    assert "gate/quillwork/k90-unfinished" in listed
