"""The playbook behind Reef's interface, without a service: what is proposed, what is kept, where a step goes on from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.harness.episodes.model_binding import ModelBindingError, ModelBindings
from tests.domain.fakes import ORDINARY
from tests.reef.host import FIRST, SECOND, Host, entry, raising, sample, well
from tests.reef.upstream import curation

from ace.adapters.reef.host_book import KEPT_BY_REEF
from ace.adapters.reef.releases import KEY
from ace.adapters.reef.services import ReefServices
from ace.domain.settings import ACESettings
from ace.ports import Screens


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A scenario that begins."""
    return Host(tmp_path / "root")


class TestProposals:
    """What becomes of the block."""

    def test_a_rejected_candidate_keeps_its_playbook(self, host: Host) -> None:
        """It is not proposed again as it is; the next one that changes a bullet carries it."""
        host.step(publish=False)
        host.curator = lambda _: curation()
        assert host.step()["skipped"] == "no proposal"
        host.curator = lambda _: curation(SECOND)
        host.step()
        assert FIRST in host.text
        assert SECOND in host.text
        assert host.restored() == []

    def test_what_a_person_takes_out_of_a_published_block_comes_back(self, host: Host) -> None:
        """Also if that makes it the block of the step before, which no one rejected."""
        host.step()
        before = host.text
        host.curator = lambda _: curation(SECOND)
        host.step()
        host.edit(before)
        host.step()
        assert host.text == before
        host.curator = lambda _: curation()
        host.step()
        assert SECOND in host.text

    def test_a_rejected_block_is_not_proposed_again_because_something_else_was_published(
        self, host: Host
    ) -> None:
        """It is the block beside which it was rejected that counts, not the release."""
        host.step(publish=False)
        host.suggest("- Theirs.\n")
        host.step()
        host.curator = lambda _: curation()
        assert host.step()["skipped"] == "no proposal"
        # Also after a rollback to that release.
        theirs = host.releases.newest()
        host.curator = lambda _: curation(SECOND)
        host.step()
        host.roll_back(theirs)
        host.curator = lambda _: curation()
        assert host.step()["skipped"] == "no proposal"
        assert host.restored() == [f"rolled back to release {theirs}"]

    def test_a_block_that_a_person_edits_beside_a_rejected_one_is_replaced(self, host: Host) -> None:
        """The rejected one is proposed against the rules as they are now."""
        host.step()
        host.curator = lambda _: curation(SECOND)
        host.step(publish=False)
        host.edit(host.text.replace(FIRST, "Edited by hand."))
        host.step()
        assert "Edited by hand." in host.text
        host.curator = lambda _: curation()
        host.step()
        assert [text in host.text for text in (FIRST, SECOND, "Edited by hand.")] == [True, True, False]

    def test_without_a_seed_the_first_block_makes_the_entry(self, tmp_path: Path) -> None:
        """It is created."""
        host = Host(tmp_path / "root", seed=())
        mutation = host.step()["mutation"]
        assert (mutation["op"], mutation["id"], mutation["options"]["name"]) == ("create", "rules", "rules")
        assert FIRST in host.text

    def test_what_else_an_entry_holds_is_kept(self, host: Host) -> None:
        """Reef replaces a config whole."""
        host.bring(entry("a", more=1))
        host.step()
        assert host.state["entries"][0]["config"]["more"] == 1


class TestScreens:
    """What Reef itself would refuse."""

    TAKEN = "Keep the task-specific-configuration-of-results out of the repository."

    def test_a_lesson_that_reef_takes_for_a_credential_costs_itself_alone(self, host: Host) -> None:
        """One refused text, and the step goes on and publishes the others."""
        host.curator = lambda _: curation(self.TAKEN, FIRST)
        assert host.step()["mutation"] is not None
        assert FIRST in host.text
        assert self.TAKEN not in host.text
        refused = [event for line in host.lines() for event in line["events"] if event["type"] == "Refused"]
        assert [event["reason"] for event in refused] == ["the host's screen"]

    def test_a_tree_that_reef_refuses_changes_nothing(self, tmp_path: Path) -> None:
        """A section's title, which no screen of a lesson sees, can still make the whole tree one that Reef refuses."""
        host = Host(
            tmp_path / "root", ACESettings(sections=("Others", "On task-specific-configuration-of-results"))
        )
        section = "On task-specific-configuration-of-results"
        operation = {"type": "ADD", "section": section, "content": FIRST}
        host.curator = lambda _: json.dumps({"operations": [operation]})
        commit = host.step()
        assert commit["skipped"] == "no proposal"
        assert commit["proposal_notes"]["outcome"] == "refused"
        assert "credential" in commit["proposal_notes"]["summary"]
        assert FIRST not in host.text
        host.curator = lambda _: curation(SECOND)
        host.step()
        assert [line["outcome"] for line in host.lines()] == ["refused", "committed"]

    def test_the_screen_is_reefs_own_test(self) -> None:
        """It looks at the line as it will be in the rules; ordinary lessons pass."""
        services = ReefServices(ModelBindings({}), lambda _: None)
        assert isinstance(services, Screens)
        assert services.screen(f"- [ace-00001] helpful=0 harmful=0 :: {self.TAKEN}") is not None
        assert [lesson for lesson in ORDINARY if services.screen(lesson)] == []

    def test_bullets_that_reef_brings_pass_the_screens(self, host: Host) -> None:
        """A state that somebody wrote a credential into: the bullet does not come in, and summary and notes tell it."""
        host.step()
        secret = "gh" + "p_" + "a1" * 18
        host.state[KEY]["playbook"]["bullets"][0]["content"] = f"Log in with {secret}."
        host.curator = lambda _: curation(SECOND)
        report = host.step()["proposal_notes"]
        assert "[ace-00001] removed by a screen (the shape of a credential" in report["summary"]
        events = [event for line in host.lines() for event in line["events"]]
        assert [(event["id"], event["by"]) for event in events if event["type"] == "Removed"] == [
            ("ace-00001", "screen")
        ]
        assert secret not in str(host.lines()) + host.text + str(host.kept)


class TestModels:
    """What Reef's client may raise."""

    @pytest.mark.parametrize(
        ("error", "told"),
        [
            (
                ModelBindingError("maximum context length is 4097 tokens, you sent 5000"),
                "maximum context length",
            ),
            (KeyError("choices"), "KeyError"),
            (ZeroDivisionError(), "ZeroDivisionError"),
            (TimeoutError(), "TimeoutError"),
        ],
    )
    def test_any_exception_is_a_failed_call(self, host: Host, error: Exception, told: str) -> None:
        """The run is named with the reason, and the others are read."""
        failing = raising(error)
        host.reflector = lambda prompt: failing(prompt) if "Fail." in prompt else well(prompt)
        host.step(sample("bad", task="Fail."), sample("good"))
        skipped = [
            event for line in host.lines() for event in line["events"] if event["type"] == "RunSkipped"
        ]
        assert [(event["reason"], told in event["detail"]) for event in skipped] == [("failed call", True)]
        assert FIRST in host.text

    def test_a_curator_that_was_not_reached_is_asked_alone_when_reef_brings_the_run_again(
        self, host: Host
    ) -> None:
        """Its tags have counted; a run that was read in full is read again, since Reef decides that."""
        host.step(sample("one"))
        asked: list[str] = []

        def watched(prompt: str) -> str:
            asked.append(prompt)
            return well(prompt)

        host.reflector, host.curator = watched, raising(TimeoutError())
        host.step(sample("two"))
        host.curator = lambda _: curation(SECOND)
        host.step(sample("two"))
        assert len(asked) == 1
        assert SECOND in host.text
        host.step(sample("two"))
        assert len(asked) == 2


class TestRecheck:
    """Under `compare` Reef can put the tree back that was served before, if that is better after all."""

    @pytest.fixture
    def host(self, tmp_path: Path) -> Host:
        """A scenario whose second step is a re-check."""
        host = Host(tmp_path / "root", recheck_every=2)
        host.step()
        return host

    def test_a_tree_that_was_put_back_is_no_rollback(self, host: Host) -> None:
        """The playbook goes on, and the next candidate that changes a bullet carries it."""
        assert host.step()["rolled_back"] is True
        assert FIRST not in host.text
        host.curator = lambda _: curation(SECOND)
        host.step()
        assert [FIRST in host.text, SECOND in host.text] == [True, True]
        assert host.restored() == []

    def test_the_block_that_was_taken_back_is_not_proposed_again_as_it_is(self, host: Host) -> None:
        """It was found to be the worse one."""
        host.step()
        host.curator = lambda _: curation()
        assert host.step()["skipped"] == "no proposal"
        assert FIRST not in host.text

    def test_a_rollback_to_what_was_put_back_is_none_of_the_block(self, host: Host) -> None:
        """It stays rejected in the state that comes back with it."""
        host.step()
        back = host.releases.newest()
        host.curator = lambda _: curation(SECOND)
        host.step()
        host.roll_back(back)
        host.curator = lambda _: curation()
        assert host.step()["skipped"] == "no proposal"

    def test_what_a_recheck_leaves_goes_on(self, host: Host) -> None:
        """The tree that is served was the better one."""
        assert host.step(publish=False)["rolled_back"] is False
        assert FIRST in host.text
        host.curator = lambda _: curation(SECOND)
        host.step()
        assert [FIRST in host.text, SECOND in host.text] == [True, True]


class TestReleases:
    """How the served release was made."""

    def test_promoting_an_older_release_is_a_rollback(self, host: Host) -> None:
        """What came after it is not published again."""
        first = host.two()
        host.promote(first)
        host.step()
        assert [FIRST in host.text, SECOND in host.text] == [True, False]
        assert host.restored() == [f"release {first} was promoted"]

    def test_promoting_what_waited_is_none(self, tmp_path: Path) -> None:
        """What came after it waits still; a promotion of the older one after the newer is one again."""
        host = Host(tmp_path / "root", publish="review")
        first = host.two()
        second = host.releases.newest()
        assert host.releases.served().release_id == "seed"
        host.promote(first)
        host.step()
        assert [FIRST in host.text, SECOND in host.text] == [True, True]
        assert host.restored() == []
        host.promote(second)
        host.promote(first)
        host.step()
        assert [FIRST in host.text, SECOND in host.text] == [True, False]
        assert host.restored() == [f"release {first} was promoted"]

    def test_promoting_what_was_rolled_back_goes_on_from_it(self, tmp_path: Path) -> None:
        """Though a step went on from the older one meanwhile."""
        host = Host(tmp_path / "root", publish="review")
        host.two()
        second = host.releases.newest()
        host.roll_back("seed")
        host.curator = lambda _: curation("A third one.")
        host.step()
        host.promote(second)
        host.curator = lambda _: curation("A fourth one.")
        host.step()
        assert [FIRST in host.text, SECOND in host.text, "A third" in host.text] == [True, True, False]
        assert host.restored() == ["rolled back to release seed", f"release {second} was promoted"]

    @pytest.mark.parametrize("make", [Host.roll_back, Host.promote])
    def test_a_rollback_to_a_release_that_a_rollback_made(
        self, host: Host, make: Callable[[Host, str], str]
    ) -> None:
        """Or a promotion: it is what is behind it that counts."""
        made = make(host, host.two())
        host.curator = lambda _: curation("A third one.")
        host.step()
        assert "A third one." in host.text
        host.roll_back(made)
        host.curator = lambda _: curation()
        host.step()
        assert [FIRST in host.text, SECOND in host.text, "third" in host.text] == [True, False, False]

    def test_a_recheck_after_a_rollback_brings_nothing_back(self, tmp_path: Path) -> None:
        """The tree that it compares with is that of the release, not of the state that was rolled back."""
        host = Host(tmp_path / "root", recheck_every=2)
        host.step()
        host.step(publish=False)
        host.curator = lambda _: curation(SECOND)
        host.step()
        host.roll_back("seed")
        host.step()
        assert FIRST not in host.text

    def test_what_reef_ships_is_brought_up_to_date_in_the_tree_that_is_served(
        self, host: Host, tmp_path: Path
    ) -> None:
        """At a restart after a rollback, before any step."""
        first = host.two()
        host.roll_back(first)
        host.ship("Of Reef.\n", tmp_path)
        assert [FIRST in host.text, SECOND in host.text, "Of Reef." in host.text] == [True, False, True]
        host.step()
        assert SECOND not in host.text
        assert host.restored() == [f"rolled back to release {first}"]
        host.releases.broken = True
        assert host.backend.shipped_content_update(host.state, tmp_path / "other") is None

    def test_what_reef_ships_brings_nothing_that_waits_for_a_review(self, tmp_path: Path) -> None:
        """It is published at once; what waits is proposed again with the next step."""
        host = Host(tmp_path / "root", publish="review")
        host.two()
        host.ship("Of Reef.\n", tmp_path)
        assert [FIRST in host.text, "Of Reef." in host.text] == [False, True]
        host.step()
        assert [FIRST in host.text, SECOND in host.text, "Of Reef." in host.text] == [True] * 3
        assert host.restored() == []

    def test_a_rollback_to_the_beginning_goes_back_to_the_seed_of_then(self, host: Host) -> None:
        """Though the deployment has another one by now."""
        host.step()
        host.reload(seed=[entry("# Other rules\n")])
        host.roll_back("seed")
        host.step()
        assert host.text.startswith("# Rules")


class TestState:
    """What Reef keeps is right."""

    def test_a_failed_commit_is_no_loss(self, host: Host) -> None:
        """The step is in the log and not in Reef's state: that is right, the log says so, and no id is used twice."""
        host.prepare()
        host.step()
        assert [line["events"][0]["type"] for line in host.lines()] == [
            "BulletAdded",
            "PlaybookRestored",
            "BulletAdded",
        ]
        assert host.restored() == [KEPT_BY_REEF]
        assert f"[ace-00002] helpful=0 harmful=0 :: {FIRST}" in host.text
        assert "ace-00001" not in host.text

    def test_a_damaged_state_is_never_replaced(self, host: Host) -> None:
        """The batch waits, the notes say where, and what Reef keeps stays as it is."""
        damaged = {"next_number": 1, "bullets": "x"}
        host.state[KEY] = {"playbook": damaged, "release": "seed"}
        notes = host.step()["proposal_notes"]
        assert notes["outcome"] == "failed"
        assert "playbook.json" in notes["reason"]
        assert host.kept["playbook"] == damaged


class TestOrigin:
    """Why a playbook was restored, which the log says, however long it takes until the method is asked."""

    def rolled_back(self, host: Host) -> str:
        """Two steps, and a rollback to the first; the reason that the log is to give."""
        good = host.two()
        host.roll_back(good)
        host.curator = lambda _: curation(SECOND)
        return f"rolled back to release {good}"

    def test_a_persons_proposal_may_take_the_first_step_after_a_rollback(self, host: Host) -> None:
        """It is applied to the tree that is served, and the next step says where the playbook is from."""
        reason = self.rolled_back(host)
        host.suggest("- Theirs.\n")
        host.step()
        assert [FIRST in host.text, SECOND in host.text, "- Theirs." in host.text] == [True, False, True]
        assert host.restored() == []
        notes = host.step()["proposal_notes"]
        assert host.restored() == [reason]
        assert host.kept["origin"] == ""
        # The step's own summary and notes tell it too, in Reef and in the record.
        assert notes["restored"] == reason
        assert f"- {reason}: the playbook is now 1 bullet" in notes["summary"]
        output = host.root / "steps" / "4" / "output"
        assert (output / "summary.md").read_text() == notes["summary"]
        assert f'"reason": "{reason}"' in (output / "notes.jsonl").read_text()

    def test_it_is_said_once(self, host: Host) -> None:
        """A failed commit that comes later has its own reason."""
        reason = self.rolled_back(host)
        host.step()
        host.curator = lambda _: curation("A third one.")
        host.prepare()
        host.step()
        assert host.restored() == [reason, KEPT_BY_REEF]

    def test_a_marker_that_stops_the_step_does_not_hide_it(self, host: Host) -> None:
        """A person fixes it, and the step after that says so."""
        reason = self.rolled_back(host)
        host.suggest("<!-- ace:playbook:end -->\n")
        host.step()
        assert "entry `theirs`" in host.step()["proposal_notes"]["reason"]
        assert host.restored() == []
        host.bring(*(one for one in host.state["entries"] if one["id"] != "theirs"))
        host.step()
        assert host.restored() == [reason]

    def test_a_step_that_failed_has_said_it(self, host: Host) -> None:
        """A batch in which no call got through was put away, and the commit of the next one failed."""
        reason = self.rolled_back(host)
        host.reflector = raising(OSError("away"))
        for _ in range(3):
            with pytest.raises(Exception, match="away"):
                host.prepare()
        host.step()
        host.reflector = well
        host.prepare(sample("r2"))
        host.step(sample("r2"))
        assert host.restored() == [reason, KEPT_BY_REEF]

    def test_a_budget_that_is_spent_does_not_hide_it(self, host: Host) -> None:
        """Reef skips the step without asking the method."""
        reason = self.rolled_back(host)
        host.backend._max_steps = 2
        assert "step budget" in host.step()["skipped"]
        host.backend._max_steps = 0
        host.step()
        assert host.restored() == [reason]
