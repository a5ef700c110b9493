"""History: a document and its updates in pieces, and every state that it ever had."""
