"""The mail tools, and the code behind them."""
