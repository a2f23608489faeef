"""The audit as it is read: lists, details, verification, export. Nothing here changes it."""
