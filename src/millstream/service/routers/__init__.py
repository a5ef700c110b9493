"""What can be asked over HTTP, a file for each noun."""
