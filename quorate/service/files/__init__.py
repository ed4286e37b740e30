"""What people upload: a file goes in, rows come out, one at a time. One file per format; no database, no HTTP."""
