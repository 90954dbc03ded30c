"""Instances beside GAP's own: synthetic ones from unlabelled text, unlabelled ones to pseudo-label, and swaps."""
