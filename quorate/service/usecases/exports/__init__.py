"""What goes out of a project, table by table, some rows at a time and all of one moment."""
