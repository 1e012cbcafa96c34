"""Spatio-temporal tubes: the JSON of the 2021 toolkit."""
