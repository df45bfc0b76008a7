"""How fast the house is on this machine: `make bench`."""
