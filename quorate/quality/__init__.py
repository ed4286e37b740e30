"""How good are the workers, and how far do they agree: one folder per protocol, one file per score."""
