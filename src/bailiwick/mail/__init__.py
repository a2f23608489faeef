"""Mail: taken in, searched, filtered and sent."""
