"""The command line `wonderlog`: open the house, play, watch, look things up."""
