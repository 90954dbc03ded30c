"""What annotators read before they answer: consent, instructions, a worked example."""
