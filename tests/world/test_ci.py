"""CI is read off the tree: what it says of tests is what real pytest finds, and of jobs what the workflow means."""

import os
import subprocess
import sys
from xml.etree import ElementTree as XmlTree

import pytest

from releaseops_mcp.world.ci.collection import collect, collect_file
from releaseops_mcp.world.ci.interpreter import WORKFLOW, run_tests, run_workflow
from releaseops_mcp.world.templates import load_template, template_names
from tests.world.test_artefacts import write

TREE = load_template("payments").base


def outcomes(folder, tree, arguments=()):
    """What real pytest makes of a tree, on a machine that calls itself CI; arguments as a shell would pass them on."""
    write(folder, tree)
    report = folder / "report.xml"
    subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *(f"--rootdir={folder}", f"--junitxml={report}", *arguments),
        ],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "CI": "true", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        check=False,
        capture_output=True,
    )
    found = {}
    for case in XmlTree.parse(report).iter("testcase"):
        words = {child.tag for child in case}
        outcome = "skipped" if "skipped" in words else "failed" if words & {"failure", "error"} else "passed"
        found[case.get("classname").replace(".", "/") + ".py::" + case.get("name")] = outcome
    return found


@pytest.mark.parametrize("name", template_names())
def test_real_pytest_agrees_at_base_at_head_and_with_a_defect(tmp_path, name):
    template = load_template(name)
    edit = template.edits[0]
    defect = template.defect_of(edit)
    head = template.edited(edit)
    trees = {"base": (template.base, {}), "head": (head, {})}
    trees["broken"] = (template.broken(head, defect), dict.fromkeys(defect.breaks, "AssertionError"))
    for place, (tree, failing) in trees.items():
        ours = {test.id: test.outcome for test in run_tests(tree, failing)}
        assert outcomes(tmp_path / place, tree) == ours


@pytest.mark.parametrize(
    ("marker", "outcome"),
    [
        ('@pytest.mark.skip(reason="x")', "skipped"),
        ('@pytest.mark.skipif(os.getenv("CI") == "true", reason="x")', "skipped"),
        ('@pytest.mark.skipif(sys.platform == "win32", reason="x")', "passed"),
    ],
)
def test_real_pytest_skips_what_the_collection_skips(tmp_path, marker, outcome):
    text = f"import os\nimport sys\n\nimport pytest\n\n\n{marker}\ndef test_it():\n    assert os and sys\n"
    tree = {"tests/test_it.py": text}
    assert {test.id: test.outcome for test in run_tests(tree, {})} == {"tests/test_it.py::test_it": outcome}
    assert outcomes(tmp_path, tree) == {"tests/test_it.py::test_it": outcome}


def test_classes_and_module_marks_are_collected():
    skip = 'pytest.mark.skip(reason="all")'
    text = f"import pytest\n\npytestmark = {skip}\n\n\nclass TestIt:\n    def test_a(self):\n        pass\n"
    (found,) = collect_file("tests/test_x.py", text)
    assert (found.id, found.skipped) == ("tests/test_x.py::TestIt::test_a", "all")
    assert collect({"tests/helpers.py": "def test_x():\n    pass\n"}) == ()


def run(change, *, failing=(), broken=frozenset(), changed=("payments/money.py",)):
    tree = {**TREE, WORKFLOW: change(TREE[WORKFLOW])}
    result = run_workflow(tree, dict.fromkeys(failing, "boom"), frozenset(broken), changed)
    return result, {job.name: job.conclusion for job in result.jobs}


RED = ("tests/test_money.py::test_shares_add_up",)


def test_a_failing_test_fails_its_job_and_the_run():
    result, jobs = run(lambda text: text, failing=RED)
    assert jobs == {"test": "failure", "lint": "success", "notify": "success"}
    assert result.conclusion == "failure"


@pytest.mark.parametrize(
    "soften",
    [
        lambda text: text.replace("report.xml", "report.xml || true"),
        lambda text: text.replace("report.xml", "report.xml\n        continue-on-error: true"),
        lambda text: text.replace("report.xml", "report.xml; exit 0"),
        lambda text: text.replace("report.xml", "report.xml | tee out.txt"),
        lambda text: text.replace("  test:\n", "  test:\n    continue-on-error: true\n"),
        lambda text: text.replace("      - name: Unit tests\n", "      - name: Unit tests\n        if: false\n"),
    ],
)
def test_a_softened_job_is_green_over_red_tests(soften):
    result, jobs = run(soften, failing=RED)
    assert jobs["test"] == "success"
    assert [test.id for test in result.tests if test.outcome == "failed"] == list(RED)


def test_a_step_that_may_fail_concludes_success_and_keeps_its_outcome():
    result, _ = run(lambda text: text.replace("report.xml", "report.xml\n        continue-on-error: true"), failing=RED)
    (step,) = [step for job in result.jobs for step in job.steps if step.name == "Unit tests"]
    assert (step.outcome, step.conclusion) == ("failure", "success")


def test_a_job_waits_for_what_it_needs():
    _, jobs = run(lambda text: text.replace("    if: always()\n", ""), failing=RED)
    assert jobs["notify"] == "skipped"


def test_a_path_filter_keeps_the_workflow_from_running():
    result, _ = run(
        lambda text: text.replace("on: [pull_request]", "on:\n  pull_request:\n    paths: [docs/**]"), failing=RED
    )
    assert result.jobs == ()


def test_another_step_fails_where_the_state_says_so():
    _, jobs = run(lambda text: text, broken={"Lint"})
    assert jobs == {"test": "success", "lint": "failure", "notify": "success"}
