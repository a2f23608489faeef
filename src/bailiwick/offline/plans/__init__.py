"""What is done for each kind of request: plans over whichever tools are offered."""
