"""Two thousand commands against an endpoint that answers in a random mode each time: `python benchmarks/endpoints.py [COMMANDS]`.

What is counted is what was lost, counted twice, or ended with a status that is not true: the limit is none. The same play, with
fewer commands, is a test.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.adapters.modes import MODES, play


def main() -> int:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    commands, wrong, folders = 0, 0, 0
    played: Counter[str] = Counter()
    start = time.perf_counter()
    while commands < wanted:
        with tempfile.TemporaryDirectory() as name, redirect_stdout(StringIO()):
            folders += 1
            try:
                more, modes = play(random.Random(folders), Path(name))
            except AssertionError as error:
                wrong += 1
                print(f"folder {folders}: {error}", file=sys.stderr)
                continue
        commands, played = commands + more, played + modes
    seconds = time.perf_counter() - start
    print("| work | measured | limit | |\n| --- | --- | --- | --- |")
    told = f"{wrong} of {folders:,} folders, {commands:,} commands, {sum(played.values()):,} calls in {seconds:.0f} s"
    print(
        f"| runs lost or counted twice, {len(played)} of {len(MODES)} modes | {told} | 0 | {'met' if not wrong else 'NOT MET'} |"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
