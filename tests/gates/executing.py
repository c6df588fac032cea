"""Runs real pytest in trees on disk: with the commands of their own workflow files, equal trees once."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree as XmlTree

import yaml

from releaseops_mcp.world.ci.interpreter import WORKFLOW, runs_tests

READ = (".py", ".json", ".ini", ".toml", ".cfg")
"""Endings of the files that make a tree another tree to Python."""
LEFT_OUT = re.compile(r"--(?:reruns|cov|junit-?xml)[\w-]*(?:[ =]\S+)?")
"""Options of plugins that this machine may lack, without which a sound test passes too, and where the report goes."""

Outcomes = dict[str, str]
"""`passed`, `failed` or `skipped` by test id."""


@dataclass(frozen=True, slots=True)
class Executed:
    """What real pytest makes of a tree: the outcomes by command of its workflow file."""

    commands: tuple[Outcomes, ...]

    @property
    def outcomes(self) -> Outcomes:
        """All commands together."""
        return {test: outcome for each in self.commands for test, outcome in each.items()}


class Machine:
    """Runs the tests of trees on disk, equal ones once."""

    def __init__(self) -> None:
        self.known: dict[tuple[object, ...], Executed] = {}

    def run(self, folder: Path, tree: Mapping[str, str]) -> Executed:
        """Return what comes of a tree that lies in a folder."""
        commands = commands_of(tree)
        key = (commands, *sorted(item for item in tree.items() if item[0].endswith(READ)))
        if key not in self.known:
            self.known[key] = Executed(tuple(execute(folder, command) for command in commands))
        return self.known[key]


@contextmanager
def laid_out(tree: Mapping[str, str]) -> Generator[Path]:
    """Put a tree into a folder of its own for a while."""
    with TemporaryDirectory() as folder:
        for path, text in tree.items():
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_text(text)
        yield Path(folder)


def commands_of(tree: Mapping[str, str]) -> tuple[str, ...]:
    """Return the pytest calls of a tree's workflow file, in order."""
    workflow: Any = yaml.safe_load(tree[WORKFLOW])
    scripts = (str(step.get("run", "")) for job in workflow["jobs"].values() for step in job["steps"])
    lines = (line.strip() for script in scripts for line in script.splitlines())
    return tuple(filter(runs_tests, lines))


def execute(folder: Path, command: str) -> Outcomes:
    """Return the outcomes of one pytest call, on a machine that calls itself CI."""
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    called = LEFT_OUT.sub("", command).replace("pytest ", f"{shlex.quote(sys.executable)} -m pytest ", 1)
    options = f"-p no:cacheprovider --rootdir={shlex.quote(str(folder))} --junitxml={shlex.quote(str(report))}"
    environment = {
        "PATH": os.environ["PATH"],
        "CI": "true",
        "PYTEST_ADDOPTS": options,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    subprocess.run(["bash", "-c", called], cwd=folder, env=environment, capture_output=True, check=False)
    return dict(map(_outcome, XmlTree.parse(report).iter("testcase")))


def _outcome(case: XmlTree.Element) -> tuple[str, str]:
    tags = {child.tag for child in case}
    outcome = "skipped" if "skipped" in tags else "failed" if tags & {"failure", "error"} else "passed"
    return f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}", outcome
