"""All that is English: lexicon, words, names, head words, sentences, quotations. Another language is another folder."""
