"""What adapted models learn from: annotated passages, instances made of text, pseudo-labels."""
