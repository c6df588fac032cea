"""Organisations: one YAML file each, checked by `validation.py`; `cedarline.yaml` is the example.

`generator/` draws more of them: `gen-<sector>-<seed>` is an organisation that is drawn when a scenario names it.
"""
