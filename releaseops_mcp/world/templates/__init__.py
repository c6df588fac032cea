"""Service templates: a repository with a real test suite, changes that keep it green and defects that break it.

One file a template: `NAME.yaml`. `payments.yaml` is the example; its first lines say what each key means.
"""

from releaseops_mcp.world.templates.base import (
    Defect,
    Edit,
    Property,
    Shortcut,
    Template,
    load_template,
    template_names,
)

__all__ = ["Defect", "Edit", "Property", "Shortcut", "Template", "load_template", "template_names"]
