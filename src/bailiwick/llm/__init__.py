"""One adapter to every model: configurations, providers, prices and vectors."""
