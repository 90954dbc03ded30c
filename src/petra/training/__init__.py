"""Training: from a recipe and annotated texts to models, several seeds side by side."""
