"""Files that people upload: streamed to the disk, stored once, and handed out by signed links."""
