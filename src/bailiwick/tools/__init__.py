"""What agents can do: named actions with a schema and one effect. Run by the gate alone."""
