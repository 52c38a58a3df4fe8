"""`python -m grapheval`: the same as the command `grapheval`."""

from grapheval.cli import main

if __name__ == "__main__":
    main()
