"""The table over HTTP."""
