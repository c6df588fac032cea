"""Draws the services: which of the sector's, how critical, what of each is guarded and which jobs must pass."""

import yaml

from releaseops_mcp.world.ci.interpreter import WORKFLOW
from releaseops_mcp.world.codeowners import OwnerLine, files_of, owners_of, read
from releaseops_mcp.world.orgs.generator.priors import LikelyService
from releaseops_mcp.world.orgs.generator.style import Style
from releaseops_mcp.world.orgs.model import Service
from releaseops_mcp.world.templates import Template, load_template, template_names

COUNT = (3, 4)
TESTS = "test"
"""The job that everybody requires."""


def draw_services(style: Style) -> tuple[Service, ...]:
    """Return three or four services with names of their own."""
    draws = style.draws.child("services")
    chosen = draws.sample(style.sector.services, draws.integer(*COUNT))
    return tuple(_service(each, style) for each in chosen)


def _service(likely: LikelyService, style: Style) -> Service:
    draws = style.draws.child("service", likely.name)
    name = draws.choice([each for each in likely.templates if each in template_names()] or template_names())
    template = load_template(name)
    tests = [path for path in template.base if path.startswith("tests/test_")]
    share = style.ranked((0.4, 0.6, 0.8, 1.0), "protected", likely.name)
    jobs = _gating(template)
    more = draws.sample(jobs, style.ranked((0, 0, 1, 1), "jobs", likely.name))
    return Service(
        name=likely.name,
        template=name,
        tier=draws.choice(likely.tiers),
        owners=owners_of(f"{template.package}/", _lines(template)),
        protected=tuple(sorted(draws.sample(tests, max(1, round(share * len(tests)))))),
        required_jobs=(TESTS, *(job for job in jobs if job in more)),
    )


def owning_teams(services: tuple[Service, ...]) -> tuple[str, ...]:
    """Return the teams that the services' repositories name as owners of anything, sorted."""
    lines = (line for service in services for line in _lines(load_template(service.template)))
    return tuple(sorted({owner for line in lines for owner in line.owners}))


def _lines(template: Template) -> tuple[OwnerLine, ...]:
    return next(map(read, files_of(template.base).values()), ())


def _gating(template: Template) -> list[str]:
    """Return the jobs that may be required besides the tests; one that always runs only tells people things."""
    jobs = yaml.safe_load(template.base[WORKFLOW])["jobs"]
    return [name for name, job in jobs.items() if name != TESTS and "if" not in job]
