"""One module a format, with a ``FORMAT`` each; its name on the command line is the module's."""
