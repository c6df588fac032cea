"""The gates of generated organisations, on a sample."""

from collections import Counter

import pytest

from releaseops_mcp.world.orgs.generator import draw_org, sectors
from tests.gates.gate_orgs import is_sound, looks_like_its_twin, spread, world_of
from tests.gates.gate_worlds import is_solvable

SAMPLE = tuple(spread(42))


@pytest.mark.parametrize(("sector", "seed"), SAMPLE)
def test_a_generated_organisation_is_sound_and_its_release_can_be_played_to_a_good_end(sector: str, seed: int) -> None:
    # Given an organisation as it was drawn, when one of its releases is played, then it is like any other.
    org = draw_org(sector, seed).org
    name = world_of(org)

    assert is_sound(org)
    assert is_solvable(name)
    assert looks_like_its_twin(name)


def test_an_organisation_with_too_little_in_it_is_not_sound() -> None:
    org = draw_org(*SAMPLE[0]).org
    assert not is_sound(org.model_copy(update={"rules": org.rules[:1], "exceptions": ()}))


def test_every_sector_has_its_share() -> None:
    assert set(Counter(sector for sector, _ in SAMPLE).values()) == {len(SAMPLE) // len(sectors())}
