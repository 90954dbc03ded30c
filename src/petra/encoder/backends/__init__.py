"""What an encoder is computed with: one file for each back end, behind one contract."""
