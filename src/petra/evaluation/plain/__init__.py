"""Evaluation on plain texts: 120 short ones by phenomenon, and ten longer ones of ten registers (docs/plain.md)."""
