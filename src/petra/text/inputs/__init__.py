"""Files that are not plain text -> the text in them: HTML, Markdown, EPUB, DOCX and PDF, and other encodings."""
