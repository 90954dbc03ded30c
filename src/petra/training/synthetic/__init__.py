"""Synthetic annotated documents: patterns -> plans of who takes part -> texts in which every mention is marked."""
