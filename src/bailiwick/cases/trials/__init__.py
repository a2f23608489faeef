"""Trying a director on a mail: what its model would read, and a run of it without effects."""
