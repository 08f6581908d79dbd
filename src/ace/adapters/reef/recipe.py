"""The recipe that a deployment file names: `recipe.implementation: ace.adapters.reef:ACERecipe`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reef.core.evaluation import CandidateEvaluationPlugin
from reef.harness.adapters import get_adapter
from reef.harness.episodes.model_binding import ModelBindings, ModelBindingsResolver
from reef.harness.episodes.requests import request_entries
from reef.harness.episodes.version_check import version_check_entry
from reef.observability import ExperimentLogger
from reef.recipe.base import Recipe
from reef.recipe.cordis import CordisRecipe
from reef.recipe.errors import RecipeConfigError
from reef.runtime.interfaces import InferenceRuntime, TrainingRuntime
from reef.storage.records import RecordStore
from reef.surface.base import Surface
from reef.train.cordis_backend.backend import CordisBackend
from reef.train.pipeline import PipelineSpec
from reef.train.trainer import ComponentTrainer, Trainer

from ace.adapters.reef.backend import ACEBackend
from ace.adapters.reef.config import (
    ACEConfigError,
    check_entries,
    check_tasks,
    operator_token,
    plan,
    warn_of_keys,
)
from ace.adapters.reef.host_book import ScenarioBook
from ace.adapters.reef.proposer import ACEProposer
from ace.adapters.reef.releases import WatchedSurface
from ace.adapters.reef.stages import ReportedRuns, Reports, TakesOrders, WatchfulTrainer, guarded
from ace.adapters.store.claims import claim
from ace.adapters.store.retention import NO_LIMIT, Keep
from ace.adapters.store.scenarios import scenario_root
from ace.domain.errors import LockedError

__all__ = ["ACERecipe"]


@dataclass(frozen=True)
class ACERecipe(CordisRecipe):
    """Reef's evolution of a harness by ACE. `work_dir` holds a folder for each scenario: see `scenario_root`. `operator_token` is the
    secret by which an operator's orders are told from others' proposals; empty: no order is taken.
    """

    work_dir: Path = field(default_factory=lambda: Path(".reef").resolve(), kw_only=True)
    keep_steps: Keep = field(default=NO_LIMIT, kw_only=True)
    operator_token: str = field(default="", kw_only=True, repr=False)

    @classmethod
    def _recipe_kwargs(cls, settings: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
        """Reef's arguments and ours, from the deployment's `evolution`. Raises `ACEConfigError`."""
        read = plan(settings.get("evolution"))
        section = {**read.section, "propose": ACEProposer(read.method)}
        try:
            kwargs = super()._recipe_kwargs({**settings, "evolution": section}, values)
        except RecipeConfigError as error:
            raise ACEConfigError(str(error)) from None
        except ValueError as error:  # Reef 0.1.3 raises one as it comes, for a reference that is empty, say
            raise ACEConfigError(f"evolution: {error}") from None
        # The entries that Reef itself adds at the end of a seed are not ours to check.
        own = len(kwargs["seed"]) - len(_shipped(section, kwargs["adapter"]))
        check_entries(kwargs["seed"][:own], kwargs["adapter"])
        check_tasks(kwargs["score_episode"], kwargs["tasks"])
        warn_of_keys(section["models"], values)
        if "pipeline_stages" in kwargs:
            kwargs["pipeline_stages"] = guarded(kwargs["pipeline_stages"])
        return {
            **kwargs,
            "work_dir": read.work_dir,
            "keep_steps": read.keep_steps,
            "operator_token": operator_token(values),
        }

    @classmethod
    def from_resolved_config(
        cls,
        config: Mapping[str, Any],
        field_values: Mapping[str, Any],
        *,
        environ: Mapping[str, str],
        runtime: InferenceRuntime | None = None,
        training_runtime: TrainingRuntime | None = None,
    ) -> Recipe:
        """Reef's recipe. One with a runtime is about to serve, and claims its work folder: two services on one would each undo what
        the other writes, and Reef 0.1.3 would let them. Raises `ACEConfigError`.
        """
        made = super().from_resolved_config(
            config, field_values, environ=environ, runtime=runtime, training_runtime=training_runtime
        )
        if runtime is not None and isinstance(made, ACERecipe):
            try:
                claim(made.work_dir / "service.lock")
            except LockedError as error:
                raise ACEConfigError(f"evolution.work_dir: {error}") from None
            except OSError as error:
                raise ACEConfigError(f"evolution.work_dir cannot be used: {error}") from None
        return made

    @classmethod
    def pipeline_spec(cls) -> PipelineSpec:
        """Reef's stages, such that nothing which is reported stops a scenario."""
        return replace(super().pipeline_spec(), record2record=Reports, record2task=ReportedRuns)

    def build_surface(self, scenario: str) -> Surface:
        """Reef's surface, which lets the scenario's steps see what is served."""
        return WatchedSurface(super().build_surface(scenario))

    def build_trainers(
        self,
        scenario: str,
        records: RecordStore,
        *,
        surface: Surface,
        algorithm_states: Mapping[str, Mapping[str, Any] | None],
        experiment_logger: ExperimentLogger | None = None,
    ) -> tuple[ComponentTrainer, ...]:
        """Reef's trainer, whose backend knows the scenario's releases."""
        trainers = super().build_trainers(
            scenario,
            records,
            surface=surface,
            algorithm_states=algorithm_states,
            experiment_logger=experiment_logger,
        )
        if isinstance(surface, WatchedSurface):
            for bound in trainers:
                backend = bound.trainer.candidate_backend
                if isinstance(backend, ACEBackend):
                    backend.releases = surface.releases
        return trainers

    def build(
        self,
        scenario: str,
        records: RecordStore,
        *,
        algorithm_state: Mapping[str, Any] | None = None,
        experiment_logger: ExperimentLogger | None = None,
    ) -> Trainer:
        """A trainer for the scenario, with a proposer and a folder of its own."""
        root = scenario_root(self.work_dir, scenario)
        backend = ACEBackend(
            **{**self._backend_kwargs(scenario), "step_record_dir": root / "steps"},
            proposer=self._proposer().of(self._book(scenario, root)),
            scenario=scenario,
            records=records,
            keep_steps=self.keep_steps,
            operator_token=self.operator_token,
            proposals_dir=self.proposals_path(scenario),
            model_resolver=None if self.scenario_model is None else _Models(self, scenario),
        )
        trainer = self._build_trainer(
            scenario,
            records,
            backend,
            self.selection_plugin(backend),
            algorithm_state=algorithm_state,
            experiment_logger=experiment_logger,
        )
        stage = trainer.pipeline.record2record
        if isinstance(stage, TakesOrders):
            stage.orders, stage.sets = backend.inbox.is_waited_for, trainer.pipeline.batch_size
        return trainer

    def _build_trainer(
        self,
        scenario: str,
        records: RecordStore,
        candidate_backend: CordisBackend,
        candidate_evaluator: CandidateEvaluationPlugin,
        *,
        algorithm_state: Mapping[str, Any] | None,
        experiment_logger: ExperimentLogger | None,
    ) -> Trainer:
        """Reef's trainer, which tells the backend of reports that came too late."""
        return WatchfulTrainer.build(
            scenario,
            records,
            pipeline_factory=lambda context: self.build_pipeline(replace(context, manual_enabled=True)),
            candidate_backend=candidate_backend,
            candidate_evaluator=candidate_evaluator,
            algorithm_state=algorithm_state,
            report_type=self.report_type,
            experiment_logger=experiment_logger,
            training_mode=self.training_mode,
        )

    def scenario_state_dirs(self, scenario: str) -> tuple[Path, ...]:
        """What belongs to the scenario alone: Reef archives it when the scenario is deleted."""
        return (*super().scenario_state_dirs(scenario), scenario_root(self.work_dir, scenario).parent)

    def _book(self, scenario: str, root: Path) -> ScenarioBook:
        address = self._proposer().method.settings.book
        if not address:
            return ScenarioBook(scenario, root, get_adapter(self.adapter))
        from ace.adapters.reef.shared_book import SharedScenarioBook  # noqa: PLC0415 - psycopg is an extra

        return SharedScenarioBook(scenario, root, get_adapter(self.adapter), address)

    def _proposer(self) -> ACEProposer:
        if not isinstance(self.propose, ACEProposer):
            raise TypeError("the recipe of ACE needs the proposer of ACE")
        return self.propose


def _shipped(section: Mapping[str, Any], adapter: str) -> Sequence[Mapping[str, Any]]:
    """What Reef adds to a seed by `version_check` and `requests`."""
    notice = (version_check_entry(adapter),) if section.get("version_check") else ()
    return (*notice, *(request_entries(adapter) if section.get("requests") else ()))


@dataclass(frozen=True)
class _Models(ModelBindingsResolver):
    """The models of a scenario, asked again for each step: a person may give the scenario another one meanwhile."""

    recipe: ACERecipe
    scenario: str

    def resolve(self, scenario: str | None = None) -> ModelBindings:
        return self.recipe.model_bindings(self.scenario if scenario is None else scenario)
