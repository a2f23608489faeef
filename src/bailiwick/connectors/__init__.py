"""Connectors: plugins that speak to providers, each on a few small protocols."""
