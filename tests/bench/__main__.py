"""Runs every benchmark beside this file and shows its figures in one table.

A benchmark is a module `bench_<name>.py` with a function `run(size: float) -> list[tuple[str, float, str]]`: what was
measured, the figure, its unit.  size: how much of the usual work is done, 1 all of it; at 0 everything is still done once, so
that a test can tell whether the benchmark works at all.  Names on the command line choose some of them, `--size=0.5` makes
them shorter; `--json` prints one document
`{"machine": {...}, "size": 1.0, "benchmarks": {name: [{"name", "figure", "unit"}]}, "failed": [name]}`.
The exit status is 1 if one of them failed, 2 for an unknown name or size, 130 after Ctrl-C.
"""

from __future__ import annotations

import importlib
import json
import os
import platform
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench import Figure

HERE = Path(__file__).parent


def found(folder: Path = HERE) -> list[str]:
    """The names of the benchmarks in a folder, in alphabetical order."""
    return sorted(path.stem.removeprefix("bench_") for path in folder.glob("bench_*.py"))


def imported(name: str) -> object:
    """The benchmark of this name."""
    return importlib.import_module(f"tests.bench.bench_{name}")


def measure(names: Sequence[str], load: Callable[[str], object], size: float = 1.0) -> tuple[dict[str, list[Figure]], list[str]]:
    """Run the named benchmarks one after the other; the figures of those that ended well, the names of those that failed."""
    figures: dict[str, list[Figure]] = {}
    failed: list[str] = []
    for name in names:
        print(f"{name} ...", end=" ", flush=True, file=sys.stderr)
        began = time.perf_counter()
        try:
            figures[name] = list(load(name).run(size))  # type: ignore[attr-defined]
        except Exception:  # noqa: BLE001 - one broken benchmark must not hide the others; it is shown and fails the run
            failed.append(name)
            print("failed", file=sys.stderr)
            traceback.print_exc()
        else:
            print(f"{time.perf_counter() - began:.1f} s", file=sys.stderr)
    return figures, failed


def written(figure: float) -> str:
    """A figure with three significant digits, whole from 1,000 on."""
    return f"{figure:,.0f}" if abs(figure) >= 1000 else f"{figure:.3g}"


def machine() -> dict[str, object]:
    """What the figures were measured on."""
    return {"python": platform.python_version(), "system": platform.platform(), "cores": os.cpu_count()}


def table(figures: dict[str, list[Figure]]) -> Table:
    """The figures, one section for each benchmark."""
    about = machine()
    shown = Table(title=f"Python {about['python']}, {about['cores']} cores")
    shown.add_column("benchmark")
    shown.add_column("measured", overflow="fold")
    shown.add_column("figure", justify="right")
    shown.add_column("unit")
    for name, rows in figures.items():
        for index, (what, figure, unit) in enumerate(rows):
            shown.add_row(name if index == 0 else "", what, written(figure), unit, end_section=index == len(rows) - 1)
    return shown


def document(figures: dict[str, list[Figure]], failed: list[str], size: float = 1.0) -> dict[str, object]:
    """The same for programs."""
    rows = {
        name: [{"name": what, "figure": figure, "unit": unit} for what, figure, unit in ended] for name, ended in figures.items()
    }
    return {"machine": machine(), "size": size, "benchmarks": rows, "failed": failed}


def main(arguments: Sequence[str]) -> int:
    """The exit status."""
    known = found()
    wanted = [argument for argument in arguments if not argument.startswith("--")] or known
    sizes = [argument.removeprefix("--size=") for argument in arguments if argument.startswith("--") and argument != "--json"]
    try:
        size = float(sizes[-1]) if sizes else 1.0
        if not 0 <= size <= 100:
            raise ValueError(size)
    except ValueError:
        print("The options are --json and --size=NUMBER, from 0 to 100, 1 the usual work.", file=sys.stderr)
        return 2
    if unknown := [name for name in wanted if name not in known]:
        print(f"No such benchmark: {', '.join(unknown)}. There are: {', '.join(known) or 'none yet'}.", file=sys.stderr)
        return 2
    try:
        figures, failed = measure(wanted, imported, size)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    if "--json" in arguments:
        print(json.dumps(document(figures, failed, size), indent=2))
    else:
        Console().print(table(figures))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
