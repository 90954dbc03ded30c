"""The kernels of the Referential Reader."""
