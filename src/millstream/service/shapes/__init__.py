"""What goes over the wire, a file for each noun."""
