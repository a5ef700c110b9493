"""Asking a mill by hand: a prompt for all languages, over a space or over a service."""
