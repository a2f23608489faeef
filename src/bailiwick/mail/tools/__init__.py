"""The mail tools, and what is behind them."""
