"""What can happen at a table, what did happen, and where it is written down."""
