"""The Referential Reader of Liu, Zettlemoyer and Eisenstein (ACL 2019), which the paper compares PeTra with."""
