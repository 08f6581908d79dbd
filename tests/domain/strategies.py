"""What hypothesis draws: texts of every kind, JSON, events and records with odd ids, traces, replies of odd items."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import strategies as st
from tests.domain.fakes import CREDENTIALS, HIDDEN, MARKERS, ORDINARY, OVERRIDES

from ace.domain.playbook import Bullet, Playbook, bullet_id
from ace.domain.settings import DEFAULT_SECTIONS
from ace.domain.step import CallFailed, Reply
from ace.domain.trace import ToolCall, Trace, Turn
from ace.events.types import (
    Accepted,
    BulletAdded,
    Capped,
    DuplicateRejected,
    Event,
    Forgotten,
    OperationIgnored,
    PlaybookRestored,
    Pruned,
    Refused,
    Removed,
    Reworded,
    RulesRestored,
    RunRead,
    RunSkipped,
    StepRecord,
    TagCounted,
    TagIgnored,
)

__all__ = [
    "events",
    "json_values",
    "odd_texts",
    "operations",
    "playbooks",
    "records",
    "replies",
    "tags",
    "traces",
]

_COUNT: Final = st.integers(0, 2**53)
_TELLING: Final = (*CREDENTIALS.values(), *HIDDEN.values(), *MARKERS, *OVERRIDES, *ORDINARY)

# Lone surrogates included, which JSON can bring and UTF-8 cannot take.
_any_text: Final = st.text(st.characters(exclude_categories=()), max_size=40)

odd_texts: Final[st.SearchStrategy[str]] = st.one_of(
    _any_text,
    st.sampled_from(_TELLING),
    st.tuples(_any_text, st.sampled_from(_TELLING), _any_text).map("".join),
    st.sampled_from(["", " ", "\n", "\u2028", "\x85", "-", "# x", "a\u2028b", "a\x0bb", "a\x1fb", "x" * 300]),
)
"""Any text, and more often than by chance one that a screen, a parser or a line break cares about."""

json_values: Final[st.SearchStrategy[Any]] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | odd_texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(odd_texts, inner, max_size=3),
    max_leaves=5,
)
"""Any JSON value."""


def _odd_ids() -> st.SearchStrategy[str]:
    return st.one_of(
        st.integers(0, 30).map(bullet_id),
        st.integers(99_990, 100_010).map(bullet_id),
        st.sampled_from(
            [
                "",
                "ace-",
                "ace-1",
                "ace-000001",
                "ace-00000",
                "ACE-00001",
                "ace-\u0661\u0662\u0663\u0664\u0665",
            ]
        ),
        st.text(max_size=12),
    )


def _bullets(ids: st.SearchStrategy[str]) -> st.SearchStrategy[Bullet]:
    texts = st.text(max_size=10)
    return st.builds(Bullet, ids, texts, texts, _COUNT, _COUNT, st.integers(-5, 2**53))


@st.composite
def playbooks(draw: st.DrawFn) -> Playbook:
    """A sound playbook: ids by number, all below the next number, contents of one line."""
    numbers = sorted(draw(st.sets(st.integers(1, 40) | st.integers(99_990, 100_010), max_size=12)))
    bullets = tuple(
        Bullet(
            bullet_id(number),
            draw(st.sampled_from((*DEFAULT_SECTIONS, "Former section"))),
            draw(st.sampled_from(ORDINARY)),
            draw(st.integers(0, 4)),
            draw(st.integers(0, 4)),
            draw(st.integers(0, 9)),
        )
        for number in numbers
    )
    return Playbook(max(numbers, default=0) + draw(st.integers(1, 3)), bullets)


def _events() -> st.SearchStrategy[Event]:
    ids, texts, counts = _odd_ids(), st.text(max_size=10), _COUNT
    scores = st.none() | st.floats(allow_nan=False, allow_infinity=False)
    restored = st.lists(_bullets(ids), max_size=4, unique_by=lambda bullet: bullet.id).map(tuple)
    skipped = st.sampled_from(
        ["middle of a run", "over the limit", "unusable reply", "failed call", "given twice"]
    )
    aliases = st.lists(st.tuples(texts, texts), max_size=2).map(tuple)
    return st.one_of(
        st.builds(TagCounted, texts, counts, ids, st.sampled_from(["helpful", "harmful", "neutral"])),
        st.builds(TagIgnored, texts, counts, ids, texts),
        st.builds(
            BulletAdded,
            texts,
            counts,
            ids,
            texts,
            texts,
            counts,
            st.sampled_from(["", "person"]),
            texts,
            st.lists(ids, max_size=2).map(tuple),
        ),
        st.builds(DuplicateRejected, texts, counts, ids, counts, texts),
        st.builds(Refused, texts, counts, texts),
        st.builds(OperationIgnored, texts, counts, texts),
        st.builds(
            RunRead,
            texts,
            scores,
            texts,
            texts,
            st.sampled_from(["used", "unusable reply", "failed call"]),
            texts,
            texts,
            aliases,
            texts,
            counts,
            texts,
        ),
        st.builds(RunSkipped, texts, skipped, texts, texts, aliases, counts),
        st.builds(
            Removed,
            ids,
            texts,
            texts,
            counts,
            counts,
            st.sampled_from(["person", "host", "screen"]),
            texts,
        ),
        st.builds(Reworded, ids, texts, texts, st.sampled_from(["person", "host"]), texts),
        st.builds(Accepted, ids, texts),
        st.builds(Forgotten, counts, texts),
        st.builds(Pruned, ids, texts, texts, counts, counts),
        st.builds(Capped, ids, texts, texts, counts, counts),
        st.builds(PlaybookRestored, texts, st.integers(0, 40), restored),
        st.builds(RulesRestored, restored),
    )


events: Final = _events()
"""Any event, also for bullets that are not there or there already, and with ids that are none."""

records: Final = st.builds(
    StepRecord,
    v=st.sampled_from([1, 2]),
    seq=_COUNT,
    prev=st.text(max_size=8),
    step=st.integers(-(2**53), 2**53),
    record=st.text(max_size=8),
    outcome=st.sampled_from(["committed", "refused"]),
    sections=st.lists(st.text(max_size=8), max_size=3).map(tuple),
    next_number=_COUNT,
    playbook=st.text(max_size=8),
    block=st.text(max_size=8),
    served=st.text(max_size=8),
    events=st.lists(events, max_size=6).map(tuple),
    reason=st.text(max_size=8),
    time=st.text(max_size=8),
    records=st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=2),
    accepted=st.text(max_size=8),
)
"""Any record of a step."""

_named: Final = st.integers(1, 12).map(bullet_id) | odd_texts | json_values
_tag_words: Final = st.sampled_from(["helpful", "harmful", "neutral", " HELPFUL"]) | odd_texts | json_values

tags: Final[st.SearchStrategy[Any]] = st.one_of(
    st.fixed_dictionaries({"id": _named, "tag": _tag_words}),
    st.fixed_dictionaries({}, optional={"id": _named, "tag": _tag_words, "why": json_values}),
    json_values,
)
"""An item of a list of tags: mostly nearly one."""

operations: Final[st.SearchStrategy[Any]] = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("ADD"), "section": st.sampled_from(DEFAULT_SECTIONS), "content": odd_texts}
    ),
    st.fixed_dictionaries(
        {}, optional={"type": odd_texts | st.just("add"), "section": json_values, "content": json_values}
    ),
    json_values,
)
"""An item of a list of operations: mostly nearly one."""

_prose: Final = st.text(st.characters(codec="utf-8", exclude_characters="{}<"), max_size=30)


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    """A reply of either role: the asked JSON with odd items, any text, a cut one, or a failed call."""
    kind = draw(st.sampled_from(["asked", "asked", "asked", "cut", "text", "failed"]))
    if kind == "failed":
        return CallFailed(draw(odd_texts))
    if kind == "text":
        return draw(odd_texts | _prose)
    whole = json.dumps(
        {
            "error_analysis": draw(odd_texts),
            "key_insight": draw(odd_texts),
            "bullet_tags": draw(st.lists(tags, max_size=5)),
            "operations": draw(st.lists(operations, max_size=5)),
        },
        ensure_ascii=draw(st.booleans()),
    )
    text = draw(_prose) + whole + draw(_prose)
    return text[: draw(st.integers(0, len(text)))] if kind == "cut" else text


def _turns() -> st.SearchStrategy[Turn]:
    calls = st.lists(
        st.builds(ToolCall, odd_texts, odd_texts, st.sampled_from(["", "1", "2"])), max_size=2
    ).map(tuple)
    return st.builds(
        Turn,
        st.sampled_from(["system", "developer", "user", "assistant", "tool"]),
        odd_texts,
        calls,
        st.sampled_from(["", "1", "2", "9"]),
        odd_texts,
        st.booleans(),
    )


_trajectories: Final = st.lists(_turns(), max_size=4).map(tuple)

traces: Final = st.builds(
    Trace,
    id=odd_texts,
    turns=_trajectories,
    context=_trajectories,
    task=odd_texts,
    reply=odd_texts,
    score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    feedback=odd_texts,
    failure=odd_texts,
    aliases=st.lists(st.tuples(odd_texts, odd_texts), max_size=2).map(tuple),
    next_message=odd_texts,
    had=st.sampled_from(["", "0f" * 32]),
)
"""Any trace."""
