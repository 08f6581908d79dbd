"""The turns that a reflection speaks of: those that have rare words in common with it."""

from __future__ import annotations

from hypothesis import given
from tests.domain.strategies import odd_texts

from ace.domain.quoting import turns_about

RUN = """\
Look at this.

<trace-0a1b>
[user]
Make the deployment green.

[assistant]
I start the deployment and look at the logs.

[assistant calls shell]
{"command": "kubectl rollout status"}

[result of shell]
line one
error: certificate expired yesterday
line three

[assistant]
The deployment is green.
</trace-0a1b>
"""


def test_the_turn_with_the_rare_words() -> None:
    """`certificate expired` is in one turn; `deployment` is in many; what was asked is not quoted."""
    (turn,) = turns_about(RUN, "An expired certificate stops a deployment.", limit=1)
    assert turn == "[result of shell]\n…\nerror: certificate expired yesterday\nline three"


def test_turns_come_in_their_order_and_are_cut() -> None:
    """The run's order, not that of what they have in common."""
    text = "start the deployment, look at the logs; the certificate expired"
    assert [turn.splitlines()[0] for turn in turns_about(RUN, text)] == ["[assistant]", "[result of shell]"]
    long = RUN.replace("line three", "x" * 1_000)
    assert all(len(turn) < 300 for turn in turns_about(long, text))


def test_a_run_of_which_nothing_is_said() -> None:
    """No turn, no words in common, or no prompt that shows a run: nothing is quoted."""
    assert turns_about(RUN, "Bananas are yellow.") == ()
    assert turns_about("No run here.", "deployment certificate") == ()
    assert turns_about("<trace-1>\nTask alone\n</trace-1>\n", "task alone") == ()


@given(odd_texts, odd_texts)
def test_any_text(prompt: str, text: str) -> None:
    """Nothing raises, and no more is quoted than asked for."""
    assert len(turns_about(f"<trace-1>\n[user]\n{prompt}\n\n[assistant]\n{prompt}\n</trace-1>\n", text)) <= 2
