"""How fast a model reads here, as ratios of what is timed in one run."""
