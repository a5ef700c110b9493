"""Histories in a running mill: fillers taken in, kept, asked once, and asked continuously."""
