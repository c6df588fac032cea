"""Archetypes: how a worker claims, answers and repairs, whatever the truth of its proposal; one file an archetype.

A file exports `ARCHETYPE = Archetype(name="careful", ...)`; `careful.py` is the example. Organisations weigh archetypes
by name in their YAML; nothing else changes. A claim or a confidence never depends on what is planted.
"""
