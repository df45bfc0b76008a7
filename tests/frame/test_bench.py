"""The table of figures shows what was measured, and hides no benchmark that broke."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.bench.__main__ import document, found, main, measure, written


def load(name: str) -> object:
    """A benchmark that ends well, and one that does not."""

    def broken() -> list[tuple[str, float, str]]:
        raise RuntimeError("no store")

    return SimpleNamespace(run=broken if name == "broken" else lambda: [("games", 3.0, "per s")])


def test_a_broken_benchmark_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    """The rest is measured, the broken one is named and its error shown."""
    figures, failed = measure(["broken", "good"], load)
    assert figures == {"good": [("games", 3.0, "per s")]}
    assert failed == ["broken"]
    assert "RuntimeError: no store" in capsys.readouterr().err
    told = document(figures, failed)
    assert told["benchmarks"] == {"good": [{"name": "games", "figure": 3.0, "unit": "per s"}]}
    assert told["failed"] == ["broken"]


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With the names of those that there are."""
    assert main(["no-such"]) == 2
    assert "start" in capsys.readouterr().err
    assert "start" in found()


@pytest.mark.parametrize(("figure", "text"), [(0.01234, "0.0123"), (12.34, "12.3"), (999.0, "999"), (12345.6, "12,346")])
def test_figures_are_written_for_people(figure: float, text: str) -> None:
    """Three significant digits, whole from a thousand on."""
    assert written(figure) == text
