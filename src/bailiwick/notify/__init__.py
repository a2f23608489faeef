"""Events on their way out: streams and webhooks."""
