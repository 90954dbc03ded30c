"""The report of a text as one HTML page: text, people, timeline, chapters, quotations, network, memory log."""
