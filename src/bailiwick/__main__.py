"""`python -m bailiwick`."""

from bailiwick.cli import main

main()
