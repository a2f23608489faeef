"""Cases: one mail and one director, the run that works on it, and the items that come of it."""
