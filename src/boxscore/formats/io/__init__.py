"""What formats are read and written with."""
