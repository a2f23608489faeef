"""Files in sessions: what people attach and tools read, kept once and shown to models that see."""
