"""Rule families: predicates over a view of the evidence, one file a family.

A family answers one question about one proposal, with what it rests on:

    def judge(rule: Rule, case: Case, view: View) -> Answer

*satisfied*; *violated* (`grounds`: the sheets that show it, `links`: tickets that the offending records name, where an
exception may be found); or *unknown* (`missing`: the topics that must be read). It may say *violated* as soon as one
record shows it, and *satisfied* only when the whole of what it needs is known. It exports

    FAMILY = RuleFamily(name="test_presence", summary="...", judge=judge, params=Params)

`test_presence.py` is the example. Organisations name families in their YAML; nothing else changes.
"""
