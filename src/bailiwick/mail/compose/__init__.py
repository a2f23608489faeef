"""Writing mail: addresses, replies, and the finished message."""
