"""Models to train: a tiny one built on the spot, SmolLM2 from a wheel, and any other with a tool-calling template."""
