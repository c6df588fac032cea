"""Doors: thin adapters that carry calls to the arena and answers back. They hold no rule, no state and no score."""
