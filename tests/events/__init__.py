"""Facts, seals, bytes and the box."""
