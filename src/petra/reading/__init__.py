"""Reading: the stages joined over one text, by token or by mention, whole or as a stream."""
