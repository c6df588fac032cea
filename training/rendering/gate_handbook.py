"""The gate's handbook in short: a line for each rule, exception and person, and nothing of other services.

A rule reads `id severity family requests:surfaces settings unless exceptions`: one of its services, where it names
some, is the service that is released.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from releaseops_mcp.episodes.base import Json
from training.rendering.notation import atom, write

REQUESTS: Mapping[str, str] = {
    "merge_change": "merge",
    "ship_release_candidate": "ship",
    "promote_artifact": "promote",
}
ANY = "any"
"""Stands for the requests of a rule that bears on all of them."""


def told(document: Json, service: str) -> Iterator[str]:
    """Yield the lines of one page of the handbook; without a service nothing is left out."""
    foreign = {rule["id"] for rule in document.get("rules", ()) if not _ours(rule.get("scope", {}), service)}
    for name, value in document.items():
        yield from SECTIONS.get(name, _section)(name, _kept(name, value, service, foreign))


def request(name: str) -> str:
    """Return a request's name in short."""
    return REQUESTS.get(name, name)


def team(name: str) -> str:
    """Return a team's name in short."""
    return name.removeprefix("team-")


def _ours(scope: Json, service: str) -> bool:
    services = scope.get("services") or ()
    return not service or not services or service in services


def _kept(name: str, value: Any, service: str, foreign: set[str]) -> Any:
    """Return a section without what concerns other services alone."""
    if name == "rules":
        return [rule if not service else _unscoped(rule) for rule in value if rule["id"] not in foreign]
    if name == "exceptions":
        return [waiver for waiver in value if waiver["rule"] not in foreign]
    if name == "services":
        return [each for each in value if service in ("", each["name"])]
    if name == "calendar":
        return [window if not service else _local(window) for window in value if _ours(window, service)]
    return value


def _unscoped(rule: Json) -> Json:
    return rule | {"scope": _local(rule.get("scope", {}))}


def _local(scope: Json) -> Json:
    return {key: value for key, value in scope.items() if key != "services"}


def _section(name: str, value: Any) -> Iterator[str]:
    if value or not isinstance(value, list):
        yield write({name: value})


def _rules(name: str, rules: list[Json]) -> Iterator[str]:
    """Yield a line a rule: id, severity and family, where it bears, its settings, what may waive it, when it counts."""
    yield f"{name}:"
    for rule in rules:
        scope: Json = rule.get("scope", {})
        where = ",".join(map(request, scope.get("requests", ()))) or ANY
        where += ":" + ",".join(scope["touches"]) if scope.get("touches") else ""
        parts = [rule["id"], rule["severity"], rule["family"], where, *_services_of(scope)]
        parts += [_setting(key, value) for key, value in rule.get("params", {}).items()]
        parts += ["unless " + ",".join(rule["unless"])] if rule.get("unless") else []
        parts += [f"{key} {value}" for key, value in rule.get("effective", {}).items() if value is not None]
        yield " ".join(parts)


def _services_of(scope: Json) -> list[str]:
    return ["services:" + ",".join(scope["services"])] if scope.get("services") else []


def _setting(key: str, value: Any) -> str:
    if value is True:
        return key
    if isinstance(value, list) and value:
        words = cast("list[Any]", value)
        if all(isinstance(each, str) for each in words):
            return f"{key}:{','.join(words)}"
    return f"{key}:{atom(value)}"


def _exceptions(name: str, exceptions: list[Json]) -> Iterator[str]:
    """Yield a line an exception: which rule the label lifts, put on by whom, for how many days."""
    if exceptions:
        yield f"{name}:"
    for each in exceptions:
        days = f" {each['days']} days" if "days" in each else ""
        yield f"{each['id']} lifts {each['rule']}: label {each['label']} by {team(each['grantor_team'])}{days}"


def _people(name: str, people: list[Json]) -> Iterator[str]:
    yield f"{name}:"
    for person in people:
        facts = [person["id"], *map(team, person.get("teams", ()))]
        facts += [person.get("seniority", ""), person.get("kind", "")]
        facts += ["oncall"] if person.get("oncall") else []
        facts += [f"paid by {person['employer']}"] if person.get("employer") else []
        prompts = person.get("operator_of", ())
        facts += [f"operates {','.join(prompts)}"] if prompts else []
        yield " ".join(fact for fact in facts if fact)


def _services(name: str, services: list[Json]) -> Iterator[str]:
    """Yield a line a service; of guarded tests the folder and the ending go without saying."""
    yield f"{name}:"
    for service in services:
        guarded = " ".join(path.removeprefix("tests/").removesuffix(".py") for path in service.get("protected", ()))
        rest = {key: value for key, value in service.items() if key not in ("name", "template", "protected", "owners")}
        owners = ",".join(map(team, service["owners"]))
        yield f"{service['name']} {write(rest)} owners {owners} protected {guarded or 'none'}"


def _labels(name: str, labels: Json) -> Iterator[str]:
    """Yield the labels by what they mean."""
    meanings: dict[str, list[str]] = {}
    for label, facts in labels.items():
        meanings.setdefault(facts["means"], []).append(label)
    told = (f"{', '.join(names)}: {meaning}" for meaning, names in meanings.items())
    yield f"{name}: {'; '.join(told)}"


SECTIONS: Mapping[str, Callable[[str, Any], Iterator[str]]] = {
    "exceptions": _exceptions,
    "labels": _labels,
    "people": _people,
    "rules": _rules,
    "services": _services,
}
"""Any other section is told by `_section`."""
