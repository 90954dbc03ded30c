"""What the answers of a study say: analysis, tables, figures, the report, and how many answers are needed."""
