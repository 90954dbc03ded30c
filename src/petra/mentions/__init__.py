"""Mentions: which spans of a text mention a person."""
