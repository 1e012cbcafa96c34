"""VoTT."""
