"""Made-up streams with tags in them: traffic, patients, auctions, and what people feel."""
