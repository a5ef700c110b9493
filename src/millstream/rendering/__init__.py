"""How values look to people: results as rows of leaves, and objects as HTML in notebooks."""
