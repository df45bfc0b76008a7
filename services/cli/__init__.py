"""The command line `wonderlog`: open the house, play, watch, look things up."""

import time

STARTED = time.monotonic()
"""When this command began, as nearly as it can know: what a person waits for includes the imports."""
