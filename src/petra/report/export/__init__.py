"""What was found in a text, in the formats of other programs: a module each in ``formats``."""
