"""Annotations of one's own: texts whose people somebody marked, in the formats of common tools."""
