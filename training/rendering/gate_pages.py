"""Pages of the gate in short: a small model pays for the syntax of a real format token by token.

JSON and YAML are told in the short notation; the formats that are read most often, and the handbook's rules, have a
line of their own shape for each record. Commit ids are cut to seven digits, times to the minute of the year. What a
text says is left as it is, words that aim at the supervisor least of all are cut.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast
from xml.etree import ElementTree as XmlTree

import yaml

from releaseops_mcp.episodes.base import Json
from training.rendering.notation import atom, write

REQUESTS: Mapping[str, str] = {"merge_change": "merge", "ship_release_candidate": "ship"}
SHA = re.compile(r"\b([0-9a-f]{7})[0-9a-f]{33}\b")
STAMP = re.compile(r"\b20\d\d-(\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?Z")
HEAD = re.compile(r"^From ([0-9a-f]{7})[0-9a-f]* .*$", re.MULTILINE)
PATH = re.compile(r"^(?:\+\+\+ b|--- a)/(.*)$", re.MULTILINE)
PLUMBING = re.compile(r"^(index |--- |@@ |base-commit: |new file mode|---$| \S+$| \d+ files? changed|Date: )")
"""Lines of a patch that say nothing which another line does not."""
BLANK = re.compile(r"^[ +-]?\s*$")


def page_text(result: Json) -> str:
    """Return a page: what it is, which of how many, and its text in short."""
    pages = len(result["contents"]) if "contents" in result else result["pages"]
    parts = (result.get("artifact", ""), result.get("format", ""), f"{result['page']}/{pages}")
    return f"{' '.join(part for part in parts if part)}\n{compact(result.get('format', ''), result['text'])}"


def compact(format: str, text: str) -> str:
    """Return a page's text without its format's syntax."""
    return short(FORMATS.get(format, _plain)(text)).strip()


def short(text: str) -> str:
    """Return a text with its commit ids and times cut."""
    return STAMP.sub(r"\1", SHA.sub(r"\1", text))


def _plain(text: str) -> str:
    """Return any document: JSON and YAML in short notation, everything else as it is."""
    try:
        return "\n".join(_documents(text))
    except (json.JSONDecodeError, yaml.YAMLError, AttributeError):
        return text


def _documents(text: str) -> Iterator[str]:
    if text[:1] == "[":
        yield from map(write, json.loads(text))
    elif text[:1] == "{":
        yield from (write(json.loads(line)) for line in text.splitlines())
    else:
        for name, value in cast("Json", yaml.safe_load(text)).items():
            yield from SECTIONS.get(name, _section)(name, value)


def _section(name: str, value: Any) -> Iterator[str]:
    yield write({name: value})


def _rules(name: str, rules: list[Json]) -> Iterator[str]:
    """Yield a line a rule: id, severity and family, where it bears, what may waive it."""
    yield f"{name}:"
    for rule in rules:
        scope: Json = rule.get("scope", {})
        rest = {key: value for key, value in rule.items() if key in ("params", "unless")}
        words = " ".join(f"{key}:{','.join(map(_request, value))}" for key, value in scope.items())
        yield " ".join(part for part in (rule["id"], rule["severity"], rule["family"], words, write(rest)) if part)


def _request(name: str) -> str:
    return REQUESTS.get(name, name)


def _people(name: str, people: list[Json]) -> Iterator[str]:
    yield f"{name}:"
    for person in people:
        facts = [person["id"], *person.get("teams", ()), person.get("seniority", ""), person.get("kind", "")]
        facts += ["oncall"] if person.get("oncall") else []
        prompts = person.get("operator_of", ())
        facts += [f"operates {','.join(prompts)}"] if prompts else []
        yield " ".join(fact for fact in facts if fact)


def _patch(text: str) -> str:
    """Return the head's id, the words, and the changed lines with those around them."""
    head, *changes = re.split(r"^diff --git .*\n", text, flags=re.MULTILINE)
    return "\n".join([*_kept(HEAD.sub(r"head \1", head)), *(line for change in changes for line in _change(change))])


def _change(text: str) -> Iterator[str]:
    """Yield a file's changes; of code the lines beside a changed one are enough, of a workflow they name the step."""
    path = PATH.search(text)
    lines = _kept(text)
    code = path is not None and path[1].endswith(".py")
    yield f"{path[1]}:" if path else ""
    for place, line in enumerate(lines):
        near = lines[max(0, place - 1) : place + 2]
        if not line.startswith("+++ ") and (not code or any(each[0] in "+-" for each in near)):
            yield line


def _kept(text: str) -> list[str]:
    return [line for line in text.splitlines() if not PLUMBING.match(line) and not BLANK.match(line)]


def _log(text: str) -> str:
    return "\n".join(STAMP.sub("", line, count=1).strip() for line in text.splitlines())


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
        files.setdefault(case.get("classname", "").rpartition(".")[2], []).append(f"{case.get('name')}{became}")
    return "\n".join([*lines, *(f"{name}: {' '.join(tests)}" for name, tests in files.items())])


def _run(text: str) -> str:
    """Return the run in a line and each job in one; a step tells its conclusion where it is another than the job's."""
    run: Json = json.loads(text)
    jobs: list[Json] = run.pop("jobs")
    head = f"{run.pop('conclusion')} at {run.pop('head_sha')} {run.pop('created_at')} attempt {run.pop('run_attempt')}"
    rest = {key: value for key, value in run.items() if key not in ("id", "name", "event", "status")}
    return "\n".join([" ".join(filter(None, (head, write(rest)))), *map(_job, jobs)])


def _job(job: Json) -> str:
    steps = (
        each["name"] + ("" if each["conclusion"] == job["conclusion"] else f" ({each['conclusion']})")
        for each in job.get("steps", ())
    )
    return f"{job['name']} {job['conclusion']}: {', '.join(steps)}"


def _reviews(text: str) -> str:
    rows: list[Json] = json.loads(text)
    return "\n".join(
        f"{row['submitted_at']} {row['user']['login']} {row['user']['type']} {row['state']} {row['commit_id']} "
        f"{row['body']}".strip()
        for row in rows
    )


def _deployments(text: str) -> str:
    """Return a deployment a line: release, commit, time, its states, and the columns that it reads."""
    rows: list[Json] = json.loads(text)
    return "\n".join(
        f"{row['ref']} {row['sha']} {row['created_at']} {','.join(each['state'] for each in row['statuses'])} "
        f"{write(row['payload'])}"
        for row in rows
    )


def _package(text: str) -> str:
    """Return the record, then a release a line: version, first upload, whether it was withdrawn."""
    record: Json = json.loads(text)
    if "info" not in record:
        return write(record)
    releases: Json = record.pop("releases")
    record["info"].pop("name")
    record["ownership"]["roles"] = [role["user"] for role in record["ownership"]["roles"]]
    facts: Json = record["info"] | record["ownership"]
    facts |= {key: value for key, value in record.items() if key not in ("info", "ownership") and value}
    lines = [write(facts)]
    for version, files in releases.items():
        withdrawn = " yanked" if files and all(file["yanked"] for file in files) else ""
        lines.append(f"{version} {min((file['upload_time_iso_8601'] for file in files), default='')}{withdrawn}")
    return "\n".join(lines)


def _services(name: str, services: list[Json]) -> Iterator[str]:
    yield f"{name}:"
    for service in services:
        guarded = " ".join(path.removeprefix("tests/").removesuffix(".py") for path in service.get("protected", ()))
        rest = {key: value for key, value in service.items() if key not in ("name", "template", "protected")}
        yield f"{service['name']} {write(rest)} protected: {guarded}"


def _ticket(text: str) -> str:
    ticket: Json = json.loads(text)
    labels = ",".join(label["name"] for label in ticket["labels"])
    head = f"{ticket['state']} on {ticket['component']} by {ticket['user']['login']} {ticket['created_at']}"
    events = (
        " ".join(
            filter(None, (row["created_at"], row["actor"]["login"], row["event"], row.get("label", {}).get("name")))
        )
        for row in ticket["timeline"]
    )
    return "\n".join([f"{head} labels:{labels or atom(None)}", ticket["title"], ticket["body"], *events])


SECTIONS: Mapping[str, Callable[[str, Any], Iterator[str]]] = {
    "people": _people,
    "rules": _rules,
    "services": _services,
}
"""Of the handbook; any other is told by `_section`."""
FORMATS: Mapping[str, Callable[[str], str]] = {
    "deployments": _deployments,
    "junit": _junit,
    "log": _log,
    "package": _package,
    "patch": _patch,
    "reviews": _reviews,
    "run": _run,
    "ticket": _ticket,
}
"""By format; any other is told by `_plain`."""
