"""How good are workers, how far do they agree, which items are in doubt: a folder per protocol, a file per score."""
