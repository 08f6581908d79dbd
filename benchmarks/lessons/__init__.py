"""Compares sets of prompts by the lessons that come of them: see README.md beside this file."""
