"""The paper's human evaluation: annotators compare models by their memory logs."""
