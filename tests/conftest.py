"""What all tests share: how hypothesis runs. Examples are the same in CI on every run, and no test has a deadline."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("ace", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("ace")
