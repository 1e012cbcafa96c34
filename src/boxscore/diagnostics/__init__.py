"""Everything that a user can be told about the input, by stable codes."""
