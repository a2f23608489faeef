"""The four flows of the map, walked and counted: `python -m flows`."""
