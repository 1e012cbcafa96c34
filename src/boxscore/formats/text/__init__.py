"""Text files with one box per line."""
