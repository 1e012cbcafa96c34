"""Arrays, data frames and lists of mappings."""
