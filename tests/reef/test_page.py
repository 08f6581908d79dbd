"""The page about Reef, tried as a new user would: its commands, as they are there, in an empty home with the real service and the real
pi. What is replaced: the port, the endpoint (a script answers), what a person types or is asked (an id, a yes), and the start of the service.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.pages import blocks
from tests.reef.service import REPOSITORY, Client, Service, deployed
from tests.reef.upstream import Script, curation

pytestmark = pytest.mark.slow

PAGE = (REPOSITORY / "docs" / "reef.md").read_text()
OPERATOR = "the-operators-own-secret"
FIRST = "Run the failing test alone before you read the code around it."
SECOND = "Say what you did not do."


def typed(section: str) -> list[str]:
    """The blocks of commands under a heading of the page, in their order."""
    body = re.split(r"(?m)^## (?=\d+\. |When )", PAGE)
    (found,) = (one for one in body if one.startswith(section))
    return [block.code for block in blocks(found) if block.kind == "sh"]


class Newcomer:
    """Somebody with an empty home folder, who starts nothing but what the page says."""

    def __init__(self, home: Path, service: Service, environ: dict[str, str]) -> None:
        self.service = service
        (home / "some-project").mkdir(parents=True)
        self._environ = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("REEF_", "ACE_"))},
            **environ,
            "HOME": str(home),
            "PATH": os.pathsep.join(
                [str(home / ".local/bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
            ),
            "NO_PROXY": "127.0.0.1",
        }
        self.home = home

    def types(self, code: str, at: Path | None = None) -> str:
        """What the commands print; none may fail."""
        done = subprocess.run(
            ["/bin/bash", "-e", "-o", "pipefail", "-c", code.replace("8900", str(self.service.port))],
            cwd=at or self.home,
            env=self._environ,
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, f"{code}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout + done.stderr


def test_the_commands_of_the_page(pi: dict[str, str], tmp_path: Path) -> None:
    """From the installation of pi to a lesson that is changed by command, in the order of the page."""
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / "examples").symlink_to(REPOSITORY / "examples")
    (serve,) = typed("2. Serve")
    assert "reef serve -c examples/serve.yaml" in serve
    with deployed(folder, Path("examples/serve.yaml"), environ={"ACE_OPERATOR_TOKEN": OPERATOR}) as (
        service,
        script,
    ):
        script.curator = curation(FIRST, SECOND)
        somebody, client = Newcomer(tmp_path / "home", service, pi), Client(service, "my-agent")

        (install,) = typed("3. Install pi")
        assert "reef-pi" in somebody.types(install)

        work, wait, update, recorded = typed("4. Work")
        somebody.types(work)
        somebody.types(wait)
        assert len(client.commits()) == 1  # the wait ends when the step has
        offered = somebody.types("cd some-project\nreef-pi -p 'And now?'")
        assert "update" in offered, offered
        somebody.types(update)
        installed = (somebody.home / "reef-harness/my-agent/pi-agent/AGENTS.md").read_text()
        assert f"- [ace-00001] helpful=0 harmful=0 :: {FIRST}" in installed

        script.curator = curation("The test was right.")
        assert "2 records" in somebody.types(recorded)
        somebody.types(wait)
        assert "the code was wrong, not the test" in script.prompts("reflector")[-1]
        assert "Fix the test." in script.prompts("reflector")[-1]

        look, reefs = typed("5. Look")
        shown = somebody.types(look, folder)
        assert FIRST in " ".join(shown.split())  # a table wraps
        assert "chain, snapshot and block are as the log says" in shown
        assert '"batch_ready": false' in somebody.types(reefs)
        assert "page" in somebody.types("reef-pi page 1 --print")

        listing, second = typed("6. Roll back")
        releases, rollback = listing.split("curl -s -X POST")
        told = somebody.types(releases)
        (first,) = (line.split()[0] for line in told.splitlines() if line.endswith("step 1"))
        somebody.types(f"curl -s -X POST{rollback}".replace("THE WHOLE ID", first))
        assert client.served().bullets == [
            f"[ace-00001] helpful=0 harmful=0 :: {FIRST}",
            f"[ace-00002] helpful=0 harmful=0 :: {SECOND}",
        ]
        somebody.types(second.replace("THE WHOLE ID", first))
        assert Client(service, "second").served().bullets == client.served().bullets

        see_changes(somebody, client, script)


def see_changes(somebody: Newcomer, client: Client, script: Script) -> None:
    """The section on single lessons, in a scenario with two of them, and the rules around the block."""
    orders, proposal = typed("7. Change")
    secret, *commands = orders.splitlines()
    assert secret.startswith("export ACE_OPERATOR_TOKEN=")
    given = "\n".join([f"export ACE_OPERATOR_TOKEN={OPERATOR}", *commands])
    assert somebody.types(given.replace(" --reef ", " --yes --reef ")).count("Done, in step") == 3
    now = [
        "[ace-00001] helpful=0 harmful=0 :: Read the failing test first.",
        "[ace-00004] helpful=0 harmful=0 :: Say what you did, in one line.",
    ]
    assert client.served().bullets == now
    script.curator = curation()
    somebody.types(proposal)
    client.learn()
    assert client.served().rules.startswith("- Speak plainly.\n")
    client.learn()
    assert client.served().bullets == now
    assert client.served().rules.startswith("- Speak plainly.\n")


def test_every_section_is_tried() -> None:
    """Of the numbered ones; the first installs what the tests have, and what needs a person at a browser is not typed."""
    numbered = re.findall(r"(?m)^## (\d+)\. ", PAGE)
    assert numbered == [str(one) for one in range(1, 8)]
    assert len(typed("1. Install")) == 2
