"""Checks of an organisation's services and calendar: templates, owners, guarded files, required jobs, windows."""

from collections.abc import Iterator

import yaml

from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.globs import matches
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template, load_template, template_names

WEEK_MINUTES = 7 * 24 * 60


def check_services(org: Org) -> Iterator[str]:
    """Yield what is wrong with the services."""
    if not org.services:
        yield "services: there is none; add at least one with a name, a template, a tier and owners"
    teams = {team for person in org.people for team in person.teams}
    for service in org.services:
        if not service.owners:
            yield f"service {service.name}: nobody owns it; name a team under owners"
        for team in service.owners:
            if team not in teams:
                yield f"service {service.name}: nobody is in the owning team {team!r}; add a person to it"
        if service.template in template_names():
            yield from _against_template(service, load_template(service.template))
        else:
            known = ", ".join(template_names())
            yield f"service {service.name}: no template {service.template!r}; use one of {known}"


def check_calendar(org: Org) -> Iterator[str]:
    """Yield what is wrong with the windows in which changes are denied."""
    services = {service.name for service in org.services}
    exceptions = {waiver.id for waiver in org.exceptions}
    for window in org.calendar:
        if not 0 <= window.start < window.end <= WEEK_MINUTES:
            yield f"window {window.name}: start and end are minutes of the week, 0 <= start < end <= {WEEK_MINUTES}"
        for name in sorted(set(window.services) - services):
            yield f"window {window.name}: no service {name!r}; add it under services or drop it"
        if window.emergency and window.emergency not in exceptions:
            yield f"window {window.name}: no exception {window.emergency!r}; add it under exceptions or drop it"


def jobs_of(template: Template) -> tuple[str, ...]:
    """Return the names of a template's CI jobs."""
    return tuple(yaml.safe_load(template.base[WORKFLOW])["jobs"])


def surfaces_of(template: Template) -> tuple[str, ...]:
    """Return the parts of a template that a change may touch."""
    return tuple(dict.fromkeys(template.written.surfaces.values()))


def _against_template(service: Service, template: Template) -> Iterator[str]:
    for glob in service.protected:
        if not any(matches(glob, path) for path in template.base):
            yield (
                f"service {service.name}: protected {glob!r} is no file of template {template.name}; "
                f"its tests are {', '.join(path for path in template.base if path.startswith('tests/'))}"
            )
    for job in service.required_jobs:
        if job not in jobs_of(template):
            yield f"service {service.name}: no job {job!r} to require; the jobs are {', '.join(jobs_of(template))}"
