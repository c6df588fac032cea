"""What an organisation guards among a template's tests: what kinds about tests have to choose from."""

from releaseops_mcp.world.changes.draft import Draft
from releaseops_mcp.world.ci.collection import collect
from releaseops_mcp.world.globs import covered
from releaseops_mcp.world.orgs.model import Org, Service
from releaseops_mcp.world.templates import Template


def files(service: Service, template: Template, *, guarded: bool = True) -> list[str]:
    """Return the test files of the base tree that the service guards, or those that it does not."""
    paths = dict.fromkeys(test.id.partition("::")[0] for test in collect(template.base))
    return [path for path in paths if covered(service.protected, path) is guarded]


def untouched(draft: Draft, *, guarded: bool = True) -> list[str]:
    """Return such test files that the change leaves as they were."""
    paths = files(draft.service, draft.template, guarded=guarded)
    return [path for path in paths if draft.head.tree.get(path) == draft.template.base[path]]


def has_guarded(org: Org, service: Service, template: Template) -> bool:
    """Return whether more test files are guarded than one change touches."""
    return len(files(service, template)) > 1


def has_both(org: Org, service: Service, template: Template) -> bool:
    """Return whether more files than one change touches are guarded, and more than that are not."""
    return has_guarded(org, service, template) and bool(files(service, template, guarded=False))
