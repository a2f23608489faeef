"""Gmail, over its REST API."""
