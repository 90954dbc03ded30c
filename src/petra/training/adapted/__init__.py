"""Training of an adapted encoder together with the memory and the span head."""
