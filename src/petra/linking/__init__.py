"""Linking: which person a mention refers to (docs/linking.md)."""
