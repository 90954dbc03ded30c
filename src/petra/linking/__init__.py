"""Linking: who a mention is of."""
