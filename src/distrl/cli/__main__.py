"""`python -m distrl.cli`, where the script `distrl` is not installed."""

from distrl.cli import main

main()
