"""`python -m quorate`."""

from quorate.cli.app import main

if __name__ == "__main__":
    main()
