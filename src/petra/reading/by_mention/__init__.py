"""Reading mention by mention: spans are found, each is linked, and the log says what was decided."""
