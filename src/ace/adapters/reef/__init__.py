"""ACE inside Reef (`reef-infra` 0.1.3): the only package that imports Reef.

    recipe.implementation: ace.adapters.reef:ACERecipe

    when the service starts
        recipe          what a deployment names; puts the rest together
        config          the `evolution` section
        policy          the evaluation that evaluates nothing
    from a report to a release
        stages          Reef's records, with nothing lost and nothing that stops a scenario
        backend         Reef's own, which keeps the playbook in Reef's state, and which no failure stops for good;
                        `retries` counts the failures
        unread          which runs the step reads, and which wait for a later one
        releases        which playbook and which tree the step goes on from; `initial_seed` is the tree of the beginning
        proposer        one step of the method behind Reef's interface
        samples         what Reef recorded, into traces; `calls` reads one call, `streams` joins a reply that was streamed, and
                        `threads` puts the calls of a conversation together
        host_book       the playbook and the rules, between Reef's state and the method's files
        services        what the method may ask of Reef: models, the check of a tree, the screen of a lesson
        rules_entry     the entry of the tree that holds the block, and its change
        notes           what Reef is told of the step; `numbers` are those of its commit

What works around a fault of Reef says so with the words "Reef 0.1.3". When the next Reef comes, a test fails that counts on
this version: look for these words then, and see which faults are gone.
"""

from __future__ import annotations

from ace.adapters.reef.config import ACEConfigError
from ace.adapters.reef.recipe import ACERecipe

__all__ = ["ACEConfigError", "ACERecipe"]
