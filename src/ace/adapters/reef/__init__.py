"""ACE inside Reef (`reef-infra` 0.1.3): the only package that imports Reef.

    recipe.implementation: ace.adapters.reef:ACERecipe

`recipe` is what a deployment file names; `settings`, `section` and `seed` read its `evolution` section, `oversights` sees
what of it Reef takes without a word. A scenario has one `backend` (Reef's own, which carries the playbook in Reef's
algorithm state, and which no failure stops for good) and one `proposer` (a step of the method behind Reef's interface).
`stages`, `samples` and `streams` turn what Reef recorded into traces, `services` is what the method may ask of Reef,
`entries` the tree, `report` what Reef is told, `releases` says which playbook a step goes on from, `begun` what a scenario
began with, `attempts` how often a batch may fail, and `policy` is the evaluation that evaluates nothing.
"""

from __future__ import annotations

from ace.adapters.reef.recipe import ACERecipe
from ace.adapters.reef.section import ACEConfigError

__all__ = ["ACEConfigError", "ACERecipe"]
