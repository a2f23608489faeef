"""Any IMAP and SMTP server."""
