"""The house, put to the test."""
