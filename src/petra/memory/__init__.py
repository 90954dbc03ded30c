"""Memory: from the features of tokens to what each cell is given, by the paper's equations 1 to 8."""
