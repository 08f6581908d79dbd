"""`ace trust`: the user looks at a configuration, and lets all of it count."""

from __future__ import annotations

from argparse import Namespace

from ace.adapters.cli.folder import root_of
from ace.adapters.cli.output import tell
from ace.adapters.store.config import NAME, keep_trust, read_config
from ace.adapters.store.trust import revoke
from ace.domain.errors import AceError

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Show the file and keep its path and digest, or forget them. What is shown is what is trusted."""
    root = root_of(options)
    if options.revoke:
        path = root / NAME
        tell(f"{path} is no longer trusted." if revoke(path) else f"{path} was not trusted.")
        return 0
    config = read_config(root)
    if config.data is None:
        raise AceError(f"{config.path} is not there, so there is nothing to trust")
    tell(config.data.decode().rstrip("\n"))
    print()
    for what in config.only_by_trust:
        tell(f"It may now {what}.")
    keep_trust(config)
    tell(f"Trusted: {config.path}, as long as it stays as shown. `ace trust --revoke` takes that back.")
    return 0
