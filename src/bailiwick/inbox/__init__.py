"""The inbox: papers that have arrived, and where the organiser suggests that they belong."""
