"""Every deployment among the examples starts as its first lines say, from the repository's root, and learns."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reef.service import REPOSITORY, Client, Service, until
from tests.reef.upstream import Script, curation, upstream

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("reef")]

EXAMPLES = sorted(path.stem for path in (REPOSITORY / "examples").glob("*.yaml"))


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_starts_and_answers(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The service answers, serves the seed's rules, and a step's record lies where the file says."""
    evaluates = "policy: none" not in (REPOSITORY / "examples" / f"{name}.yaml").read_text()
    pi = request.getfixturevalue("pi") if evaluates else {}
    # What it writes is relative to where it starts: a folder that has the examples as the repository has.
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    script = Script(curator=curation())  # no candidate, so that no task is run
    with upstream(script) as up:
        service = Service(tmp_path, Path("examples") / f"{name}.yaml", up.base_url, environ=pi)
        service.arguments = ("--reef.port", str(service.port))
        with service:
            client = Client(service, "one")
            record = client.chat("Fix the bug.")
            if name != "traffic":
                client.report(record)
            client.step(1)
            assert (
                client.served().rules.strip() == (REPOSITORY / "examples/seed/rules.md").read_text().strip()
            )
            records = until(
                lambda: list(tmp_path.glob(".reef/**/harness/one/harness/steps/1/calls.json")), "the record"
            )
            assert len(records) == 1


def test_there_are_examples() -> None:
    """Those that the documents name."""
    assert EXAMPLES == ["compare", "floor", "serve", "traffic"]
