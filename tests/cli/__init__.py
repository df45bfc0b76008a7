"""The command line, asked as a person or a program would."""
