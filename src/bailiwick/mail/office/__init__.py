"""What is behind the mail tools: accounts by their labels, reading, sending and filing."""
