"""The frame of the house: its commands, its order, its locks and its deployment."""
