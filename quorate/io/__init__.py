"""Files and folders <-> Votes and Posterior; the library's only file access."""
