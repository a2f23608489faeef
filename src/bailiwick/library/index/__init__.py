"""The index of the library: what the disk holds, kept in tables so that it can be searched."""
