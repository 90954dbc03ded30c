"""Reading token by token, as in the paper: people are grouped from the memory's gates."""
