"""Everything that can be wrong with what users bring, as one small tree.

    AceError                 a sentence that says what is wrong and what to do
    ├── SettingsError        a setting is unknown, of the wrong type or impossible
    ├── ConfigError          config.toml cannot be used, or says what only a trusted one may say
    ├── MarkerError          the marker lines of rules.md do not form a block
    ├── StateError           playbook.json is damaged, newer, or not what the log says
    ├── LogError             a line of events.jsonl is damaged, or breaks the chain
    │   └── NewerLogError    it was written by a newer version
    ├── LockedError          another process is in the middle of a step
    ├── BookError            a shared book's database cannot be reached, or refuses what is asked of it
    ├── ChangedError         the playbook is another one than when a person decided about it
    ├── SeqTakenError        another step has the number in the log that this one was to have
    ├── TraceError           a file of traces cannot be read as any format
    ├── CallError            one model call failed; its trace is skipped
    │   ├── TooLongError     the prompt is longer than the model takes: asking again does not help
    │   └── EndpointError    every further call would fail the same way: no more calls are made
    └── StepError            the step failed as a whole and learned nothing

The branches tell bad input (settings, configuration, traces, markers), conflicts (lock) and broken files (state, log) apart, so that
a host can decide what to try again.
"""

from __future__ import annotations

__all__ = [
    "AceError",
    "BookError",
    "CallError",
    "ChangedError",
    "ConfigError",
    "EndpointError",
    "LockedError",
    "LogError",
    "MarkerError",
    "NewerLogError",
    "SeqTakenError",
    "SettingsError",
    "StateError",
    "StepError",
    "TooLongError",
    "TraceError",
]


class AceError(Exception):
    """The base of all errors that this package raises on purpose; `str(error)` is one sentence for a person."""


class SettingsError(AceError, ValueError):
    """A setting is unknown, of the wrong type or impossible; the sentence names key and value."""


class ConfigError(AceError):
    """The work folder's `config.toml` cannot be used, or says what counts only if the user trusts it."""


class MarkerError(AceError):
    """The marker lines in `rules.md` are not one begin followed by one end; the sentence names the lines."""


class StateError(AceError):
    """`playbook.json` is damaged, written by something newer, or differs from what the log says."""


class LogError(AceError):
    """A line of the log is damaged, written by something newer, or does not continue the line before it."""


class NewerLogError(LogError):
    """A line of the log was written by a newer version: it is not damaged, and has to be left as it is."""


class LockedError(AceError):
    """Another process holds the lock of this folder; the sentence says which."""


class BookError(AceError):
    """The database of a shared book cannot be reached, is of another version, or refuses what is asked of it; the sentence says
    which, and holds no secret.
    """


class ChangedError(AceError):
    """The playbook has changed since a person looked at it: what was decided has to be decided again."""


class SeqTakenError(AceError):
    """The log has a line with this number by now: the step is to be decided again on that line."""


class TraceError(AceError):
    """A file of traces holds nothing that can be read; the sentence names file and line."""


class CallError(AceError):
    """One model call failed. The step goes on without its reply.

    `finish_reason` is how the endpoint says that the reply ended (`length`, `content_filter`, …) and `found` where text
    was found in its answer (`content`, `reasoning_content`, …); each is empty where there is nothing to tell.
    """

    def __init__(self, message: str, *, finish_reason: str = "", found: str = "") -> None:
        super().__init__(message)
        self.finish_reason = finish_reason
        self.found = found


class TooLongError(CallError):
    """The prompt is longer than the model takes: the same prompt would fail each time, a shorter one may not."""


class EndpointError(CallError):
    """The endpoint refuses every call (bad key, unknown model, wrong address): no further call is made."""


class StepError(AceError):
    """The step failed as a whole: nothing was learned, and its traces can be tried again."""
