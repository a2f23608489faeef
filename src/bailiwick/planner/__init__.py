"""Task lists."""
