"""Tags in the running system: where they come from, what they are on, and reading them."""
