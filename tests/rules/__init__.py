"""The rules, ruling by ruling, and whole games under them."""
