"""What figures show, as frozen values of arrays: computed here once, drawn by matplotlib, the report or the app."""
