"""What people see of a table: documents made from the log, which can all be thrown away and made again."""
