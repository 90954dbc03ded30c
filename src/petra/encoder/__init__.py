"""Documents to features: pretrained encoders, where they come from, and the features kept on disk."""
