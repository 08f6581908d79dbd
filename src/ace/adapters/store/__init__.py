"""Where playbooks are kept: the only package that knows the layout of a folder."""
