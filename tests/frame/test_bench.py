"""The table of figures shows what was measured, and hides no benchmark that broke."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from tests.bench.__main__ import document, found, imported, main, measure, written


def load(name: str) -> object:
    """A benchmark that ends well, and one that does not."""

    def run(size: float) -> list[tuple[str, float, str]]:
        if name == "broken":
            raise RuntimeError("no store")
        return [("games", 3.0 * size, "per s")]

    return SimpleNamespace(run=run)


def test_a_broken_benchmark_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    """The rest is measured, the broken one is named and its error shown."""
    figures, failed = measure(["broken", "good"], load)
    assert figures == {"good": [("games", 3.0, "per s")]}
    assert failed == ["broken"]
    assert "RuntimeError: no store" in capsys.readouterr().err
    assert measure(["good"], load, 0.5) == ({"good": [("games", 1.5, "per s")]}, [])
    told = document(figures, failed)
    assert told["benchmarks"] == {"good": [{"name": "games", "figure": 3.0, "unit": "per s"}]}
    assert told["failed"] == ["broken"]


@pytest.mark.parametrize("name", found())
def test_every_benchmark_still_works(name: str) -> None:
    """At its smallest: a rule that came later must not break one unseen.  Every figure is a number that can be, with its unit."""
    figures = imported(name).run(0)  # type: ignore[attr-defined]
    assert figures
    for what, figure, unit in figures:
        assert what
        assert unit
        assert math.isfinite(figure), what
        assert figure > 0, what


@pytest.mark.parametrize("option", ["--size=-1", "--size=much", "--size=nan", "--jason"])
def test_a_size_that_is_none_is_refused(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is measured, with the options that there are."""
    assert main(["start", option]) == 2
    assert "--size=NUMBER" in capsys.readouterr().err


def test_ctrl_c_ends_a_benchmark_without_a_fuss(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """No figures, and no traceback."""

    def run(size: float) -> list[tuple[str, float, str]]:
        raise KeyboardInterrupt

    monkeypatch.setattr("tests.bench.__main__.imported", lambda name: SimpleNamespace(run=run))
    assert main(["start"]) == 130
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "start ... interrupted\n")


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With the names of those that there are."""
    assert main(["no-such"]) == 2
    assert "start" in capsys.readouterr().err
    assert "start" in found()


@pytest.mark.parametrize(("figure", "text"), [(0.01234, "0.0123"), (12.34, "12.3"), (999.0, "999"), (12345.6, "12,346")])
def test_figures_are_written_for_people(figure: float, text: str) -> None:
    """Three significant digits, whole from a thousand on."""
    assert written(figure) == text
