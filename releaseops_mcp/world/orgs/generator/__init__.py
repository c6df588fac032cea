"""Draws organisations: a sector says what is likely, a seed what it is this time, and validation what cannot be.

`sectors.yaml`, `rules.yaml` and `vocabulary.yaml` beside this file are all that is known of sectors, rules and
names; a rule family that stands in `rules.yaml` is drawn, any other is left alone.
"""

from releaseops_mcp.world.orgs.generator.document import yaml_of
from releaseops_mcp.world.orgs.generator.drawing import Drawn, draw_org, generate_org
from releaseops_mcp.world.orgs.generator.names import GeneratedName, generated_name
from releaseops_mcp.world.orgs.generator.priors import sectors

__all__ = ["Drawn", "GeneratedName", "draw_org", "generate_org", "generated_name", "sectors", "yaml_of"]
