"""Bytes of items become typed Arrow rows; every bad item is set aside with its reason."""
