"""Quotations: who says them and to whom, told from the text and the mentions of its people."""
