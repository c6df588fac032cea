"""The LangGraph door, and the agents that have a model behind them."""
