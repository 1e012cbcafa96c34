"""What the verdicts tell beyond the protocol's own numbers: operating points, confusions, thresholds by requirement."""
