"""One file per statement, named after its id."""
