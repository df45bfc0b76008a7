"""Whole games kept as they were written."""
