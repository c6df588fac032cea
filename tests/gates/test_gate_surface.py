"""The figures of the surface: the area under the curve by hand, and samples in which every proposal is described."""

import numpy as np
import pytest

from tests.gates.gate_lab import first_seen, one_of_each, worlds
from tests.gates.gate_surface import area_under_curve, sample


@pytest.mark.parametrize(
    ("scores", "faulty", "area"),
    [
        ([0.1, 0.2, 0.9], [0, 0, 1], 1.0),
        ([0.9, 0.2, 0.1], [0, 0, 1], 0.0),
        ([0.5, 0.5, 0.5, 0.5], [0, 1, 0, 1], 0.5),
        ([0.1, 0.4, 0.3, 0.8], [0, 0, 1, 1], 0.75),
    ],
)
def test_the_area_counts_faulty_ones_above_sound_ones(scores: list[float], faulty: list[int], area: float) -> None:
    assert area_under_curve(np.array(scores), np.array(faulty)) == area


def test_a_sample_has_a_row_for_every_proposal_and_the_worlds_share_no_pair() -> None:
    names = list(one_of_each(900_000, 60))
    found = sample(900_000, 60)
    assert len({name.pair for name in names}) == len(names)
    assert len(found.faulty) == len(found.texts) == sum(len(world.lineages) for world in worlds(names))
    assert 0 < found.faulty.mean() < 0.3


def test_a_proposal_is_first_seen_in_the_phase_in_which_it_appears() -> None:
    names = list(one_of_each(910_000, 6))
    for world in worlds(names):
        for lineage in world.lineages:
            seen = first_seen(world, lineage)
            assert seen["phase_index"] == lineage.appears
            assert lineage.id in [each["id"] for each in seen["proposals"]]
