// Wide tables are scrolled by keys too.
document$.subscribe(() => {
  for (const wide of document.querySelectorAll(".md-typeset__scrollwrap")) wide.tabIndex = 0;
});
