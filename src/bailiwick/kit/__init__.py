"""Building blocks without product words: databases, keys, blobs, HTTP conventions."""
