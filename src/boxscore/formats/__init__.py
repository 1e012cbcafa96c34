"""Annotation formats: a file or a folder for each, and what they share."""
