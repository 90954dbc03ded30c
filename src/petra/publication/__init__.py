"""What reports of results are made of: tables of values, documents, figures."""
