"""Supervisors with a model behind them, and outside processes: the schemes `openai`, `hf` and `mcp-command`."""
