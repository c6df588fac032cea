"""Supervisors that need no model: scripted and degenerate ones, registered by name, and a person at a terminal."""
