"""Texts read for clients: models on offer, jobs, and the pool that works on them."""
