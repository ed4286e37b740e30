"""HTTP: one file per noun. A handler reads the request, asks who it is, calls one use case, and answers."""
