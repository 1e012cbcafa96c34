"""Truth and detections as columns, what is checked where they come in, and what they are made of."""
