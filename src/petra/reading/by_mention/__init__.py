"""Reading mention by mention: spans are chosen, each is linked to a person, and the log stores the decisions."""
