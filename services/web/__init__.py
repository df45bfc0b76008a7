"""The pages of the house: a table to look at and to play at, drawn in the browser from what the API tells it."""
