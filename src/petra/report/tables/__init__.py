"""Tables for a terminal or a pipe: people, quotations, the runs of a recipe."""
