"""The page on the user's own machine: a server on the loopback address, and the modules of the page that it serves."""
