"""The models that a step can ask: a live endpoint, or the recorded replies of an earlier step.

options.py    which endpoint, model and key: from options and the environment
live.py       `OpenAIModel`: any OpenAI-compatible endpoint
command.py    `CommandModel`: a command that reads the prompt and prints the reply
address.py    the base URL taken apart, with the secrets in it
answers.py    reads the body of an endpoint's answer
sdk.py        the only module that imports the `openai` SDK; `live` loads it when a model is built
failures.py   what can go wrong with a call, and which error and sentence that is
proxies.py    the proxies that the environment names
calls.py      the file `calls.json`
metered.py    counts calls and tokens, and keeps to a budget; pending.py replies that outlive an interrupted command
recorded.py   `CallRecorder` keeps calls, `RecordedModel` answers from kept ones
"""

from __future__ import annotations

from ace.adapters.models.calls import RecordedCall, Usage, encode, load_calls
from ace.adapters.models.command import CommandModel
from ace.adapters.models.live import OpenAIModel
from ace.adapters.models.options import endpoint
from ace.adapters.models.recorded import CallRecorder, RecordedModel

__all__ = [
    "CallRecorder",
    "CommandModel",
    "OpenAIModel",
    "RecordedCall",
    "RecordedModel",
    "Usage",
    "encode",
    "endpoint",
    "load_calls",
]
