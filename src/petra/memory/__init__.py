"""Memory: from the features of tokens to what each cell is given, by PeTra or by the Referential Reader."""
