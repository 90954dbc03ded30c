"""People: from a memory log to the people of a text and where each is mentioned."""
