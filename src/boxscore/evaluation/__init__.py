"""From joined tables to a result: prepare, match, tally, curves, accounts."""
