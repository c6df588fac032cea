"""Writes `docs/kinds.md` from the code: every kind of the gate with its rule, tell, lookalikes, variants and scores."""
