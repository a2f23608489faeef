"""The panic stop."""
