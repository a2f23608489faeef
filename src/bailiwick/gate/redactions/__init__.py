"""Redaction: text and fields that are taken out before anyone else sees them."""
