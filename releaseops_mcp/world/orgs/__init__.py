"""Organisations: one YAML file each, checked by `validation.py`; `cedarline.yaml` is the example."""
