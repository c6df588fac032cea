"""Code of the gate and what ran on it, in short: patches, runs, logs, test reports and coverage."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.etree import ElementTree as XmlTree

from releaseops_mcp.episodes.base import Json
from training.rendering.notation import atom, write

STAMPED = re.compile(r"\b20\d\d-\d\d-\d\dT[\d:.]+Z ")
HEAD = re.compile(
    r"From (\w{7})\w* .*\nFrom: (.*)\nDate: .*\nSubject: (?:\[PATCH\] )?(.*)\n\n(.*?)\n?---\n(.*)", re.DOTALL
)
"""Commit, author, title, body, and the list of files."""
LISTED = re.compile(r"^ (\S+)$", re.MULTILINE)
COUNTED = re.compile(r"^ (\d+) files? changed", re.MULTILINE)
NAMES = re.compile(r"a/(\S+) b/(\S+)\n")
PLUMBING = re.compile(r"^(index |--- |\+\+\+ |@@ |new file mode|deleted file mode|similarity |rename )")
"""Lines of a file's diff that say nothing which another line does not."""
BLANK = re.compile(r"^[ +-]?\s*$")
FRAME = re.compile(r"^ \s*(@|(async )?(def|class)\b)")
"""Lines of code that tell what a changed line beside them belongs to."""


def _patch(text: str) -> str:
    """Return who changed what and why, then each file's changed lines."""
    head, *changes = re.split(r"^diff --git ", text, flags=re.MULTILINE)
    listed = [path for change in changes for path in _paths(change)]
    return "\n".join([*_letter(head, listed), *(line for change in changes for line in _change(change))])


def _letter(head: str, shown: list[str]) -> Iterator[str]:
    """Yield the head; of its list of files those of other pages, and how many it counts where the list has others."""
    match = HEAD.match(head)
    if match is None:
        yield from (line for line in head.splitlines() if line)
        return
    commit, author, title, body, stat = match.groups()
    yield f"{commit} by {author}: {title}"
    yield from filter(None, body.splitlines())
    listed = LISTED.findall(stat)
    others = [path for path in listed if path not in shown]
    counted = COUNTED.search(stat)
    if others:
        yield f"also {' '.join(others)}"
    if counted and int(counted[1]) != len(listed):
        yield f"{counted[1]} files changed"


def _paths(change: str) -> tuple[str, ...]:
    names = NAMES.match(change)
    return names.groups() if names else ()


def _change(text: str) -> Iterator[str]:
    """Yield a file's changes; of code the lines that frame a changed one are enough, elsewhere all are kept."""
    names = NAMES.match(text)
    old, path = names.groups() if names else ("", "")
    body = text[names.end() :] if names else text
    what = " new" if body.startswith("new file") else " deleted" if body.startswith("deleted") else ""
    yield f"{path}{what or (f' was {old}' if old != path else '')}:"
    lines = [line for line in body.splitlines() if not PLUMBING.match(line) and not BLANK.match(line)]
    code = path.endswith(".py")
    for place, line in enumerate(lines):
        beside = lines[max(0, place - 1) : place + 2]
        if not code or line[0] != " " or (FRAME.match(line) and any(each[0] in "+-" for each in beside)):
            yield line


def _log(text: str) -> str:
    """Return each step's lines below its name; what every step opens and closes with is left out."""
    lines: list[str] = []
    known = ""
    for line in text.splitlines():
        job, step, rest = [*line.split("\t", 2), "", ""][:3]
        place, said = f"{job} / {step}:", STAMPED.sub("", rest, count=1)
        if place != known:
            lines.append(place)
            known = place
        if said != "##[endgroup]":
            lines.append(said.removeprefix("##[group]"))
    return "\n".join(lines)


def _junit(text: str) -> str:
    """Return the totals, then the tests by file; behind a name what became of it, where it did not pass."""
    root = XmlTree.fromstring(text)  # noqa: S314 - our own rendering, without entities
    lines: list[str] = []
    for suite in root.iter("testsuite"):
        bad = (f"{suite.get(name)} {name}" for name in ("failures", "errors", "skipped") if suite.get(name) != "0")
        lines.append(", ".join([f"{suite.get('tests')} tests", *bad]))
    files: dict[str, list[str]] = {}
    for case in root.iter("testcase"):
        became = "".join(f" {child.tag.upper()} {child.get('message', '')}".rstrip() for child in case)
        folder, _, name = case.get("classname", "").partition(".")
        place = name if folder == "tests" else case.get("classname", "")
        files.setdefault(place, []).append(f"{case.get('name')}{became}")
    return "\n".join([*lines, *(f"{name}: {' '.join(tests)}" for name, tests in files.items())])


def _properties(text: str) -> str:
    """Return a property a line: whether it holds, and the inputs that were tried last."""
    root = XmlTree.fromstring(text)  # noqa: S314 - our own rendering, without entities
    lines: list[str] = []
    for case in root.iter("testcase"):
        holds = "holds" if case.find("failure") is None else "FALSIFIED"
        example = (case.findtext("system-out") or "").removeprefix("Trying example: ")
        lines.append(f"{case.get('classname')} {case.get('name')} {holds}: {example}")
    return "\n".join(lines)


def _lcov(text: str) -> str:
    """Return a line for each test and file: the functions with their lines, those that it entered marked."""
    return "\n".join(line for section in text.split("end_of_record\n") if (line := _section(section)))


def _section(text: str) -> str:
    rows = [(key, row) for line in text.splitlines() for key, _, row in [line.partition(":")]]
    single = dict(rows)
    hits = {name: count for key, row in rows if key == "FNDA" for count, _, name in [row.partition(",")]}
    functions = [row.split(",") for key, row in rows if key == "FN"]
    told = (f"{name} {first}-{last} {hits.get(name, '0')}x" for first, last, name in functions)
    return f"{single['TN']} in {single['SF']}: {', '.join(told)}" if functions else ""


def _run(text: str) -> str:
    """Return the run in a line and each job in one; a conclusion stands where it is another than the one above."""
    run: Json = json.loads(text)
    jobs: list[Json] = run.pop("jobs")
    whole, attempt = run.pop("conclusion"), run.pop("run_attempt")
    head = f"{whole or run['status']} at {run.pop('head_sha')} {run.pop('created_at')} attempt {attempt}"
    before = run.pop("previous_attempt_url", "").rpartition("/")[2]
    rest = {key: value for key, value in run.items() if key not in ("id", "name", "event", "status")}
    lines = [" ".join(filter(None, (head, before and f"after {before}", write(rest))))]
    return "\n".join([*lines, *(_job(job, whole) for job in jobs)])


def _job(job: Json, whole: Any) -> str:
    own = job["conclusion"]
    steps = (
        each["name"].removeprefix("Run ") + ("" if each["conclusion"] == own else f" ({atom(each['conclusion'])})")
        for each in job.get("steps", ())
    )
    ended = "" if own == whole else f" {own or job['status']}"
    return f"{job['name']}{ended}: {', '.join(steps)}"


def _codeowners(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())


CODE: Mapping[str, Callable[[str], str]] = {
    "codeowners": _codeowners,
    "junit": _junit,
    "lcov": _lcov,
    "log": _log,
    "patch": _patch,
    "properties": _properties,
    "run": _run,
}
"""By format."""
