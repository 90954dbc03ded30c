"""The second pass: people of a whole text joined, and loose mentions decided again, from the records of linking."""
