"""The paper's study: a grid of runs, one record each, and the tables, figures and report made from them."""
