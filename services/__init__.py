"""How people reach a table: the HTTP API, the pages, the command line."""
