"""Text without annotators -> GAP instances: references that grammar tells, and instances retold of other people."""
