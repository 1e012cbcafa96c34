"""What the verdicts tell beyond the protocol's own numbers: operating points, thresholds, gaps explained."""
