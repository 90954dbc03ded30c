"""Logs and labels -> scores: the GAP rules, the counting of people, and runs of both."""
