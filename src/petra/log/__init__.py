"""Log: what the memory decided on every token, as plain arrays and a stored file."""
