"""Desktop notifications: what a person wants to be told of. Their browsers show them."""
