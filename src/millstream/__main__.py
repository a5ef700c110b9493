"""python -m millstream is the millstream command."""

from millstream.cli.main import main

main()
