"""Rules: what is allowed, asked about, blocked or redacted; the first that matches decides."""
