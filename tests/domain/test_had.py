"""Which playbook a run had in force, as far as its own messages tell."""

from __future__ import annotations

import hashlib

import pytest
from tests.domain.given import SECTION, bullet, curation, playbook, reflection, take_step

from ace.domain.had import block_had, bullets_had, had_in
from ace.domain.rules_block import BEGIN, END, block, digest_in
from ace.domain.trace import Trace, Turn, TurnRole
from ace.events.types import RunRead

BOOK = playbook(bullet(1, "One."), bullet(2, "Two."))
BLOCK = block(BOOK, (SECTION,))
USER = Turn("user", "Go.")


@pytest.mark.parametrize("role", ["system", "developer"])
@pytest.mark.parametrize(
    "text", [BLOCK, f"Be kind.\n\n{BLOCK}\n\nBye.", f"Be kind.\r\n{BLOCK}".replace("\n", "\r\n")]
)
def test_a_block_in_the_instructions_was_in_force(role: TurnRole, text: str) -> None:
    """Given a system or developer message that holds a block, then that block was in force, with any line ends."""
    trace = Trace(id="a", turns=(Turn(role, text), USER))
    assert block_had(trace) == BLOCK
    assert had_in(trace) == digest_in(f"{BLOCK}\n".encode())
    assert bullets_had(BLOCK, [("ace-00001", "ONE."), ("ace-00002", "Other."), ("ace-00003", "One.")]) == (
        "ace-00001",
    )


@pytest.mark.parametrize(
    "turns",
    [
        (USER,),
        (Turn("user", BLOCK),),
        (Turn("system", f"{BEGIN} stands for the block"), USER),
        (Turn("system", f"{BEGIN}\nno end"), USER),
        (Turn("system", f"{END}\n{BEGIN}"), USER),
        (Turn("tool", BLOCK), USER),
    ],
)
def test_otherwise_nothing_is_known(turns: tuple[Turn, ...]) -> None:
    """Given no block in the instructions, a broken one, or one in a user's message or a file, then nothing is known."""
    trace = Trace(id="a", turns=turns)
    assert (block_had(trace), had_in(trace)) == ("", "")


def test_what_the_host_says_comes_first() -> None:
    """Given a trace that says which block it had, then that is what it had."""
    digest = "0f" * 32
    assert had_in(Trace(id="a", turns=(Turn("system", BLOCK), USER), had=digest)) == digest


def test_the_log_keeps_what_a_run_had() -> None:
    """Given a run with a block in its instructions, then its event names the block."""
    turns = (Turn("system", BLOCK), USER, Turn("assistant", "Done."))
    (event,) = take_step(BOOK, [Trace(id="a", turns=turns)], [reflection(), curation()]).events
    assert isinstance(event, RunRead)
    assert event.had == hashlib.sha256(BLOCK.encode()).hexdigest()
