"""The handbook's pages: each is YAML by itself and short, and together they are the public policy."""

import pytest
import yaml

from releaseops_mcp.world.orgs import handbook
from releaseops_mcp.world.orgs.loader import load_org, org_names


@pytest.mark.parametrize("name", org_names())
def test_a_page_is_short_and_a_document_by_itself(name):
    for page in handbook.pages_of(load_org(name)):
        assert len(page) <= handbook.PAGE
        assert isinstance(yaml.safe_load(page), dict)


def test_a_long_list_goes_on_under_its_key_on_the_next_page():
    org = load_org("cedarline")
    rules = tuple(rule.model_copy(update={"id": f"{rule.id}-{n}"}) for n in range(5) for rule in org.rules)
    long = org.model_copy(update={"rules": rules})
    pages = handbook.pages_of(long)
    assert sum("rules:" in page for page in pages) > 1
    assert handbook.read(pages) == long.public
    with pytest.raises(ValueError, match="people"):
        handbook.read(pages[:-1])


def test_an_organisation_without_public_rules_has_a_handbook():
    org = load_org("cedarline").model_copy(update={"rules": ()})
    assert handbook.read(handbook.pages_of(org)) == org.public
