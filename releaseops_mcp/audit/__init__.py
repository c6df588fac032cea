"""Checks on what was logged: replay it, verify the whole log, re-score it."""
