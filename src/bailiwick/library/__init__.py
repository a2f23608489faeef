"""Folders on disk that are opened to agents."""
