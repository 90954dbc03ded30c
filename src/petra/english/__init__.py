"""What is English: word lists, names, head words, sentences, quotations."""
