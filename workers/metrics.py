"""How the house is doing, in numbers: what each process counts, and what the store says about games that wait."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest, multiprocess, values
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = CONTENT_TYPE_LATEST
MS = (1, 2, 5, 10, 20, 50, 100, 250, 1000, 5000)

Gauges = Callable[[], dict[str, float]]

ABOUT = {
    "wonderlog_waking_games": "Games with a wake-up time.",
    "wonderlog_overdue_games": "Games whose wake-up time is past by more than a second.",
    "wonderlog_oldest_overdue_ms": "How long the longest overdue game has waited.",
    "wonderlog_feed_behind_lines": "Lines of the feeds (one for each append) that the projectors have not done yet.",
    "wonderlog_queue_length": "Jobs that wait in the queue.",
    "wonderlog_failed_jobs": "Jobs that failed and were not run again with success.",
}


def share(folder: str) -> None:
    """From now on the counters that this process and its children make are kept in a folder, where `exposition` adds them up."""
    os.environ[MULTIPROCESS] = folder
    values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]  # chosen by the library when it is imported, which may be long ago


class Metrics:
    """The counters of one process and, where PROMETHEUS_MULTIPROC_DIR names a folder, of all processes that share it."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        one = self.registry
        self.handled = Counter("wonderlog_handled", "Steps that games owed themselves.", ["handler"], registry=one)
        self.handler_ms = Histogram("wonderlog_handler_ms", "Time from loading to appended.", ["handler"], buckets=MS, registry=one)
        self.events = Counter("wonderlog_events", "Events appended by handlers.", registry=one)
        self.jobs = Counter("wonderlog_jobs", "Jobs carried out.", ["job", "outcome"], registry=one)
        self.job_ms = Histogram("wonderlog_job_ms", "Time for a job.", ["job"], buckets=MS, registry=one)
        self.knocks = Counter("wonderlog_knocks", "Games handed to the queue.", ["path", "outcome"], registry=one)
        self.projected = Counter("wonderlog_projected", "Games whose views were brought up to date.", registry=one)
        self.not_projected = Counter("wonderlog_not_projected", "Games whose views could not be made.", registry=one)
        self.project_ms = Histogram("wonderlog_project_ms", "Time for the views of one game.", buckets=MS, registry=one)
        self.requests = Counter("wonderlog_requests", "HTTP requests.", ["route", "status"], registry=one)
        self.request_ms = Histogram("wonderlog_request_ms", "Time for an HTTP request.", ["route"], buckets=MS, registry=one)

    def exposition(self, gauges: Gauges | None = None) -> bytes:
        """The text that a Prometheus server reads; `gauges` are computed now, and left out if they cannot be."""
        shown = CollectorRegistry()
        if os.environ.get(MULTIPROCESS):
            multiprocess.MultiProcessCollector(shown)  # type: ignore[no-untyped-call]
        else:
            shown.register(_All(self.registry))
        if gauges is not None:
            shown.register(_Computed(gauges()))
        return generate_latest(shown)


class _All(Collector):
    """What another registry holds."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterable[Metric]:
        return self._registry.collect()


class _Computed(Collector):
    """Figures that were asked of the store."""

    def __init__(self, figures: dict[str, float]) -> None:
        self._figures = figures

    def collect(self) -> Iterable[Metric]:
        for name, figure in self._figures.items():
            yield GaugeMetricFamily(name, ABOUT[name], value=figure)
