"""The sample office: a mailbox, agents and filters to try things with, and to take away again."""
