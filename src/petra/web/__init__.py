"""Web pages: texts read in a browser, and the same by HTTP for other programs."""
