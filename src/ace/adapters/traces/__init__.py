"""Readers of recorded sessions: a file in, traces out, and every line that could not be read named.

    sessions of agents    claude_code, codex, gemini, opencode, droid, pi, cline: a run for each turn of the user that ends in a reply,
                          which `exchanges` tells for all of them
    trajectories          swe_agent (also mini-SWE-agent), openhands, atif: one run each
    records               chat messages in any dialect (`dialects`), and our own schema, `ace.domain.trace.Trace`

`reading` holds the way through a file, `lines` turns bytes into objects, `messages` turns chat messages into turns, and `ids` says what
a run is called. `collection` makes one of many files, `finding` knows which files a name means, and `tools` where agents keep theirs.

Two promises hold for all of them. Whatever bytes a file holds, `TraceError` is the only exception. And a reason never
quotes what a line holds: it may be a secret, and reasons end up in notes and logs.
"""

from __future__ import annotations

from ace.adapters.traces.messages import turns_of
from ace.adapters.traces.reading import FORMATS, Format, Reading, Recording, Unreadable, read_traces

__all__ = ["FORMATS", "Format", "Reading", "Recording", "Unreadable", "read_traces", "turns_of"]
