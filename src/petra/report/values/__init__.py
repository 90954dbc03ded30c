"""What was found in a text as values: JSON and the files it is stored in, summaries, choices among people."""
