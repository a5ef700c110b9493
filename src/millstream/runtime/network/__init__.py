"""The embedded deployment of network plans: every flow that is read is a stream of the space."""
