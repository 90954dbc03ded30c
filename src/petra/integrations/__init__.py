"""PeTra inside other tools: a component for spaCy pipelines, and archives read by a Ray cluster."""
