"""What is done for each kind of wish: plans over whichever tools are offered."""
