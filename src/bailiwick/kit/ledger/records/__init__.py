"""Records outside the ledger: each row is sealed when it is made, and its digest is chained."""
