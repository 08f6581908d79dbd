"""Every rule of the method, without I/O: traces and replies in, events out, events folded into the playbook."""
