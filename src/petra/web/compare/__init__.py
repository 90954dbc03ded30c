"""Two readings of one text beside each other."""
