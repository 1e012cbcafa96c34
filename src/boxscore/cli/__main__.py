"""`python -m boxscore.cli` is the command line."""

import sys

from boxscore.cli import main

sys.exit(main())
