"""The connector, as plugins are found."""
