"""The mill over HTTP: streams, subscriptions, results as they come, and who may do what."""
