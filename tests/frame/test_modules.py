"""The house is in order: short modules that say what they are, and rules that look at nothing but the game."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from tests.frame.repository import PACKAGES, ROOT, modules, name

LONGEST = 300

# What the rules may import: themselves, the rest of events, msgspec, and those parts of the standard library that only compute.
PURE = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib", "heapq", "hmac", "itertools",
    "math", "msgspec", "operator", "re", "types", "typing", "typing_extensions",
}  # fmt: skip


def imported(tree: ast.AST) -> set[str]:
    """The top-level names of all that a module imports, inside functions too; relative imports are its own package."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def called(tree: ast.AST) -> set[str]:
    """The bare names that a module calls."""
    return {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


@pytest.mark.parametrize("package", PACKAGES)
def test_each_part_of_the_house_stands(package: str) -> None:
    """The four packages are literal and on the top level: a job in the queue has one spelling."""
    assert (ROOT / package / "__init__.py").is_file()


@pytest.mark.parametrize("path", modules(), ids=name)
def test_a_module_says_what_it_is_and_is_short(path: Path) -> None:
    """Each module opens with a docstring of at least one sentence and has at most 300 lines."""
    source = path.read_text(encoding="utf-8")
    opening = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")[0]
    assert len(opening.split()) >= 3, f"{name(path)} does not open with a sentence"
    assert source.count("\n") <= LONGEST, f"{name(path)} has more than {LONGEST} lines"


@pytest.mark.parametrize("path", [path for path in modules() if "rules" in path.parts], ids=name)
def test_the_rules_are_pure(path: Path) -> None:
    """No input or output, clock, randomness, logging or environment: time, keys and ids arrive in commands."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    strangers = imported(tree) - PURE - {"events"}
    assert not strangers, f"{name(path)} imports {', '.join(sorted(strangers))}"
    assert not called(tree) & {"open", "print", "input", "__import__", "eval", "exec"}


@pytest.mark.parametrize("path", modules(), ids=name)
def test_the_arrow_points_one_way(path: Path) -> None:
    """services -> workers -> projections -> events: each may import what lies to its right, never to its left."""
    own = PACKAGES.index(path.relative_to(ROOT).parts[0])
    upwards = imported(ast.parse(path.read_text(encoding="utf-8"))) & set(PACKAGES[own + 1 :])
    assert not upwards, f"{name(path)} imports {', '.join(sorted(upwards))}"


def test_the_purity_test_knows_the_standard_library() -> None:
    """What the rules may use is either ours by choice or part of Python itself."""
    assert PURE - sys.stdlib_module_names == {"msgspec", "typing_extensions"}
