"""One text read by one model: token by token, or mention by mention with a register of people."""
