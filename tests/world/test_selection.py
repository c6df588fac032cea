"""What a pytest command selects, and what settings keep out, is what real pytest runs."""

import os
import shlex
import subprocess
import sys

import pytest

from releaseops_mcp.world.ci.collection import collect
from releaseops_mcp.world.ci.interpreter import WORKFLOW, parsed, run_workflow, suite_command
from releaseops_mcp.world.ci.selection import selected, selection
from releaseops_mcp.world.templates import load_template
from tests.world.test_artefacts import write

TEST = "def test_{name}():\n    pass\n"
BUILT = "class TestIt:\n    def __init__(self):\n        pass\n\n    def test_a(self):\n        pass\n"
TREE = {
    f"tests/{name}.py": TEST.format(name=name.replace("test_", "").replace("_test", "").replace("_tests", ""))
    for name in ("test_announce", "test_ledger", "test_money", "rates_test", "till_tests", "helpers")
}


def real(folder, tree, arguments):
    """Return the ids that real pytest collects, with a shell that expands the arguments."""
    write(folder, tree)
    listed = subprocess.run(
        ["bash", "-c", f"{shlex.quote(sys.executable)} -m pytest --collect-only -q -p no:cacheprovider {arguments}"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "CI": "true", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    return [line for line in listed.stdout.splitlines() if "::" in line and not line.startswith(("ERROR", "FAILED"))]


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        ("", {}),
        ("--ignore=tests/test_ledger.py", {}),
        ("--deselect=tests/test_money.py::test_money", {}),
        ("-k 'not led and not mon'", {}),
        ("tests/test_[a-k]*.py tests/test_[m-z]*.py", {}),
        ("tests/test_ledger.py tests/rates_test.py", {}),
        ("", {"tests/conftest.py": '"""Slow."""\n\ncollect_ignore = ["test_money.py"]\n'}),
        ("", {"pytest.ini": "[pytest]\npython_files = test_*.py *_tests.py\n"}),
        ("", {"tests/test_built.py": BUILT}),
    ],
    ids=["all", "ignore", "deselect", "keyword", "shards", "files", "conftest", "ini", "constructor"],
)
def test_real_pytest_selects_the_same(tmp_path, arguments, files):
    tree = {"pytest.ini": "[pytest]\n", **TREE, **files}

    found = [test.id for test in selected(tree, f"pytest -q {arguments} --junitxml=report.xml")]

    assert sorted(found) == sorted(real(tmp_path, tree, arguments))


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q --junitxml=report.xml",
        "pytest -q --junitxml=report.xml || true",
        "pytest -q --junitxml=out/report.xml | tee out/report.txt",
        "set +e\npytest -q --reruns 5 --junitxml=report.xml; exit 0",
        "python -m pytest -q > out/log.txt",
    ],
)
def test_a_command_without_paths_selects_everything(command):
    assert selection(command) == selection("pytest")
    assert selected(TREE, command) == collect(TREE)


def test_a_run_reports_what_its_workflow_selects():
    tree = dict(load_template("payments").base)
    tree[WORKFLOW] = tree[WORKFLOW].replace("=report.xml", "=report.xml --ignore=tests/test_money.py")
    assert "--ignore=tests/test_money.py" in suite_command(parsed(tree[WORKFLOW]))

    result = run_workflow(tree, {"tests/test_money.py::test_shares_add_up": "boom"}, frozenset(), ())

    assert not [test.id for test in result.tests if test.id.startswith("tests/test_money.py")]
    assert result.conclusion == "success"
