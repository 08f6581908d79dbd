"""Readers of recorded sessions: a file in, traces out, and every line that could not be read named.

    ace      one trace a line, in the schema of `ace.domain.trace.Trace`
    openai   one run a line: `{"id", "messages", "score", "feedback", "failure"}`, messages of OpenAI or Anthropic
    pi       one session of the pi agent: a run for each turn of the user that ends in a reply

`reading` holds the way through a file, `lines` turns bytes into objects, `messages` turns chat messages into turns,
`records` and `pi` hold what is particular to the formats, and `ids` says what a run is called.

Two promises hold for all of them. Whatever bytes a file holds, `TraceError` is the only exception. And a reason never
quotes what a line holds: it may be a secret, and reasons end up in notes and logs.
"""

from __future__ import annotations

from ace.adapters.traces.messages import turns_of
from ace.adapters.traces.reading import FORMATS, Format, Reading, Recording, Unreadable, read_traces

__all__ = ["FORMATS", "Format", "Reading", "Recording", "Unreadable", "read_traces", "turns_of"]
