"""Records of the gate that are JSON, in short: a line each, in the order in which their rules compare them."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from releaseops_mcp.episodes.base import Json
from training.rendering.gate_handbook import request, team
from training.rendering.notation import atom, write

NONE = "none"
"""Stands for an empty list, or for something that is not known."""


def _list(values: Iterable[Any]) -> str:
    return ",".join(map(str, values)) or NONE


def _reviews(text: str) -> str:
    """Return the reviews below the commit that they are of; of accounts only those of bots are marked."""
    lines: list[str] = []
    commit = ""
    for row in json.loads(text):
        if row["commit_id"] != commit:
            commit = row["commit_id"]
            lines.append(f"of {commit}:")
        kind = "" if row["user"]["type"] == "User" else f" {row['user']['type']}"
        lines.append(f"{row['submitted_at']} {row['user']['login']}{kind} {row['state'].lower()} {row['body']}".strip())
    return "\n".join(lines)


def _commits(text: str) -> str:
    return "\n".join(
        f"{row['commit']['author']['date']} {row['sha']} by {row['commit']['author']['name']}: "
        f"{row['commit']['message']} ({_list(file['filename'] for file in row['files'])})"
        for row in json.loads(text)
    )


def _deployments(text: str) -> str:
    """Return a deployment a line: release, commit, time, its states, and the columns that it reads."""
    return "\n".join(
        f"{row['ref']} {row['sha']} {row['created_at']} {_list(each['state'] for each in row['statuses'])} "
        f"reads {_list(row['payload']['reads'])}"
        for row in json.loads(text)
    )


def _package(text: str) -> str:
    """Return who publishes it, then a release a line: version, first upload, whether it was withdrawn."""
    record: Json = json.loads(text)
    if "info" not in record:
        return write(record)
    info, ownership = record["info"], record["ownership"]
    users = _list(role["user"] for role in ownership["roles"])
    lines = [f"organization {ownership['organization'] or NONE}, owner {users}, author {info['author']}"]
    lines.append(info["summary"])
    for version, files in record["releases"].items():
        withdrawn = " yanked" if files and all(file["yanked"] for file in files) else ""
        lines.append(f"{version} {min((file['upload_time_iso_8601'] for file in files), default='')}{withdrawn}")
    return "\n".join(lines)


def _advisory(text: str) -> str:
    """Return an advisory a line: severity, the versions that it covers, and whether it was taken back."""
    rows: list[Json] = json.loads(text).get("vulns", [])
    return "\n".join(map(_vulnerability, rows))


def _vulnerability(row: Json) -> str:
    ranges = [
        " ".join(f"{what} {version}" for event in part["events"] for what, version in event.items())
        for about in row["affected"]
        for part in about.get("ranges", ())
    ]
    versions = [version for about in row["affected"] for version in about.get("versions", ())]
    taken = f" withdrawn {row['withdrawn']}" if "withdrawn" in row else ""
    named = f"; versions {_list(versions)}" if versions else ""
    severity = row["database_specific"]["severity"].lower()
    return f"{row['id']} {severity} {row['published']}{taken}: {'; '.join(ranges)}{named}: {row['summary']}"


def _action(text: str) -> str:
    """Return the tags of an action, and the commits that only a fork has."""
    record: Json = json.loads(text)
    if "full_name" not in record:
        return write(record)
    parent = f" fork of {record['parent']['full_name']}" if record["parent"] else ""
    lines = [f"{record['full_name']}{parent}"]
    lines += [f"{row['ref'].removeprefix('refs/tags/')} {row['object']['sha']}" for row in record["refs"]]
    lines += [f"only in {row['repository']}: {row['sha']}" for row in record["network"]]
    return "\n".join(lines)


def _calendar(text: str) -> str:
    return "\n".join(
        f"{item['status']} {item['extendedProperties']['shared']['service']} {item['start']['dateTime']} to "
        f"{item['end']['dateTime']} {item['summary']}"
        for item in json.loads(text)["items"]
    )


def _drills(text: str) -> str:
    return "\n".join(
        f"{row['drill']} {row['service']} {row['mode']} schema {row['schema']} from {row['from']} to {row['to']} "
        f"{row['finished_at']} {row['outcome']}"
        for row in json.loads(text)
    )


def _flags(text: str) -> str:
    """Return a feature a line: how far it is on where, and since when."""
    return "\n".join(
        f"{feature['name']}: {'; '.join(map(_environment, feature['environments']))}"
        for feature in json.loads(text)["features"]
    )


def _environment(each: Json) -> str:
    percent = ",".join(str(strategy["parameters"]["rollout"]) for strategy in each["strategies"]) or "0"
    off = "" if each["enabled"] else " off"
    return f"{each['name']} {percent}%{off} since {each['changedAt']}"


def _image(text: str) -> str:
    document: Json = json.loads(text)
    manifest = document["manifest"]
    lines = [f"{document['name']} {manifest['digest']} of {_list(manifest.get('annotations', {}).values())}"]
    for row in manifest["manifests"]:
        lines.append(f"{row['platform']['os']}/{row['platform']['architecture']} {row['digest']}")
    return "\n".join(lines)


def _promotion(text: str) -> str:
    document: Json = json.loads(text)
    payload = document["payload"]
    lines = [
        f"{document['ref']} at {document['sha']} to {document['environment']} by {document['creator']['login']} "
        f"{document['created_at']} {_list(each['state'] for each in document['statuses'])}",
        payload["image"],
    ]
    return "\n".join([*lines, *(f"{row['platform']} {row['digest']}" for row in payload["manifests"])])


def _provenance(text: str) -> str:
    document: Json = json.loads(text)
    predicate = document["predicate"]
    sources = predicate["buildDefinition"]["resolvedDependencies"]
    lines = [f"built from {_list(source['digest']['gitCommit'] for source in sources)} of "]
    lines[0] += f"{_list(source['uri'] for source in sources)} in {predicate['runDetails']['metadata']['invocationId']}"
    return "\n".join([*lines, *(f"{each['name']} {each['digest']['sha256']}" for each in document["subject"])])


def _incidents(text: str) -> str:
    return "\n".join(
        f"{row['incident']} {row['service']} {row['started_at']} to {row['resolved_at']} {row['cause']['category']}, "
        f"says {row['cause']['attributed_by']}"
        for row in json.loads(text)
    )


def _slo(text: str) -> str:
    """Return a ratio of failed requests a line: over which window, and of which incident a part is."""
    return "\n".join(
        f"{row['metric']['service']} {row['metric']['window']}"
        f"{' ' + row['metric']['incident'] if 'incident' in row['metric'] else ''} {row['value'][1]}"
        for row in json.loads(text)["data"]["result"]
    )


def _rollout(text: str) -> str:
    """Return the plan: what goes out when and in which steps, what it holds, and what one would go back to."""
    document: Json = json.loads(text)
    payload = document["payload"]
    if "not_before" not in payload:
        return write(document)
    back, pieces = payload["rollback"], list[str]()
    for step in payload["steps"]:
        pieces.append(f"{step['setWeight']}%" if "setWeight" in step else step["pause"]["duration"])
    changes = (f"{each['pr']} {each['kind']} {each['state']}" for each in payload["changes"])
    lines = [
        f"{document['ref']} at {document['sha']} by {document['creator']['login']} not before {payload['not_before']}",
        f"steps {' '.join(pieces)}; schema {payload['schema']}",
        f"back to {back['ref']} {back['image']['digest']} until {back['image']['expires_at']}, "
        f"runbook {back['runbook'] or NONE}, emergency {payload['emergency'] or NONE}",
    ]
    return "\n".join([*lines, *changes])


def _rota(text: str) -> str:
    """Return the shifts, the overrides, and who has acknowledged."""
    document: Json = json.loads(text)
    schedule = document["schedule"]
    shifts = [entry for layer in schedule["schedule_layers"] for entry in layer["rendered_schedule_entries"]]
    overrides = schedule["overrides_subschedule"]["rendered_schedule_entries"]
    lines = [_shift("", each) for each in shifts] + [_shift("override ", each) for each in overrides]
    seen = (f"{each['acknowledger']['summary']} acknowledged {each['at']}" for each in document["acknowledgements"])
    return "\n".join([schedule["name"], *lines, *seen])


def _shift(kind: str, entry: Json) -> str:
    return f"{kind}{entry['user']['summary']} {entry['start']} to {entry['end']}"


def _secrets(text: str) -> str:
    """Return a finding a line: rule, place, commit, whether it is live, its entropy, and what suppresses it."""
    results = [row for run in json.loads(text)["runs"] for row in run["results"]]
    return "\n".join(map(_finding, results))


def _finding(row: Json) -> str:
    place = row["locations"][0]["physicalLocation"]
    kept = [f"{each['kind']} {each.get('status', 'accepted')}" for each in row.get("suppressions", ())]
    facts = row["properties"]
    return (
        f"{row['ruleId']} {place['artifactLocation']['uri']}:{place['region']['startLine']} "
        f"{row['partialFingerprints']['commitSha']} {facts['validity']} entropy {facts['entropy']} "
        f"suppressed {_list(kept)}"
    )


def _ticket(text: str) -> str:
    ticket: Json = json.loads(text)
    labels = "".join(f" {label['name']}" for label in ticket["labels"])
    events = (
        " ".join(
            filter(None, (row["created_at"], row["actor"]["login"], row["event"], row.get("label", {}).get("name")))
        )
        for row in ticket["timeline"]
    )
    head = f"{ticket['state']} {ticket['component']} by {ticket['user']['login']}{labels and f', labels{labels}'}"
    return "\n".join([head, ticket["title"], ticket["body"], *events])


def precedents(text: str) -> str:
    """Return a past decision a line: when, what was asked for by whom, the facts, and what became of it."""
    return "\n".join(_precedent(json.loads(line)) for line in text.splitlines())


def _precedent(row: Json) -> str:
    if "decision" not in row:
        return write(row)
    touches = f":{','.join(row['touches'])}" if row["touches"] else ""
    known = ("decided", "request", "service", "worker", "touches", "decision", "rule")
    facts = " ".join(_facts(name, value) for name, value in row.items() if name not in known)
    rule = f" {row['rule']}" if "rule" in row else ""
    head = f"{row['decided']} {request(row['request'])}{touches} {row['service']} by {row['worker']}"
    return f"{head}, {facts}: {row['decision']}{rule}"


def _facts(subject: str, facts: Json) -> str:
    return f"{subject} {' '.join(f'{name}:{_fact(value)}' for name, value in facts.items())}"


def _fact(value: Any) -> str:
    if isinstance(value, list):
        words = cast("list[Any]", value)
        if all(isinstance(each, str) and " " not in each for each in words):
            return _list(map(team, words))
    return NONE if value is None else atom(value)


RECORDS: Mapping[str, Callable[[str], str]] = {
    "action": _action,
    "advisory": _advisory,
    "calendar": _calendar,
    "commits": _commits,
    "deployments": _deployments,
    "drills": _drills,
    "flags": _flags,
    "image": _image,
    "incidents": _incidents,
    "package": _package,
    "promotion": _promotion,
    "provenance": _provenance,
    "reviews": _reviews,
    "rollout": _rollout,
    "rota": _rota,
    "secrets": _secrets,
    "slo": _slo,
    "ticket": _ticket,
}
"""By format."""
