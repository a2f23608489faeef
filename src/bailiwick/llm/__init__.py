"""One adapter to every model: configurations, prices, and the offline model."""
