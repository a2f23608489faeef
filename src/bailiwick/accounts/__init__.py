"""Connected accounts: what they are called, what they may do, and their sealed credentials."""
