"""The pages of a human evaluation."""
