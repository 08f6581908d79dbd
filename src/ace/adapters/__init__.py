"""The edge: files, models, hosts and the command line. What is decided is decided in `ace.domain`."""
