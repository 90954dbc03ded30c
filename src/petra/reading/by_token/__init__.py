"""Reading token by token, as in the paper: the gates of the memory are grouped into people."""
