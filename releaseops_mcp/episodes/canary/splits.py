"""Which seeds are for what: the one place that says so."""

TRAIN = range(0, 100_000)
"""Seeds for training."""
DEV = range(100_000, 100_050)
"""Seeds of a family for development and for the gates."""
HELD_OUT = range(200_000, 200_100)
"""Seeds of a family that no training may see."""
HELD_OUT_FAMILIES = ("f10-relapse", "f18-chain")
"""Families, twins included, that no training may see at any seed."""
