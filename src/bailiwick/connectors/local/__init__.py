"""A mailbox on this disk, as a Maildir."""
