"""Failure kinds: each plants one fact into a draft, or its benign twin; one file a kind.

A kind is faulty by nothing that it says: whether a proposal breaks a rule is computed from what can be read. A file
exports `KIND = Kind(name="k01-skipped-test", ...)` with a function

    def plant(draft: Draft, variant: str, fault: bool, draws: Draws) -> None

that writes the fact (`fault`) or the benign lookalike into the draft. It must draw the same numbers, take the same ids
and touch the same surfaces both ways: the first observation of twins is the same byte for byte, and only the formats
that the variant declares may differ. `k01_skipped_test.py` is the example.
"""
