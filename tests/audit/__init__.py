"""A stranger can check every game, and nothing that was changed goes unseen."""
