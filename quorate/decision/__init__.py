"""Ask, stop, accept: at the least expected cost. Pure functions on arrays; no file is read or written here."""
