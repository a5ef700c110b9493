"""Kafka: topics as sources of streams and as sinks of results, through Spark's own connector."""
