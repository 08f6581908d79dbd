"""Reports as Reef takes them in, except that one which cannot be used does not stop the scenario.

Reef accepts a report that names no call, and then raises whenever it reads its records: no step of the scenario is
possible any more, also after a restart. Here such a report ends without having been learned from.
"""

from __future__ import annotations

import logging
from typing import Final

from reef.core.records_types import AgentRecord, RequestType
from reef.core.reports import ReportValidationError
from reef.record2record import ReportRecord2Record

__all__ = ["Reports"]

_log: Final = logging.getLogger(__name__)


class Reports(ReportRecord2Record):
    """Every report that can be used is one run."""

    def ingest(self, record: AgentRecord) -> None:
        """Take in one record. Raises as Reef's own does, but not for a report."""
        try:
            super().ingest(record)
        except ReportValidationError as error:
            if record.request_type is not RequestType.REPORT or record.scenario != self.scenario:
                raise
            _log.warning(
                "report %s of scenario %s is passed over: %s", record.agent_record_id, self.scenario, error
            )
            self.end_report(record)
