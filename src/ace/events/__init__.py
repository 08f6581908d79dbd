"""What can happen to a playbook, and how it is written down: the event types and their line format."""
