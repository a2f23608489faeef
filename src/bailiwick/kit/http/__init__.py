"""What every endpoint shares: problems, correlation, origin checks, limits, pages, idempotency."""
