"""Mail on its way out: held for a while, then handed over once."""
